# Everything a newcomer needs: `make demo` and `make test` set themselves up (Python >= 3.11 and make are enough).
# Another interpreter: make test PYTHON=python3.12

PYTHON  ?= $(shell sh .ci/find-python)
VENV    := .venv
BIN     := $(VENV)/bin
STAMP   := $(VENV)/.installed
DOCS    := $(VENV)/.installed-docs
PIP     := $(BIN)/python -m pip --disable-pip-version-check --quiet
PYTEST  ?=

.PHONY: help demo test lint format docs bench msl studio clean
.DEFAULT_GOAL := help

help: ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## /{printf "  make %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

demo: $(STAMP) ## the flagship example: its flat equations, then a simulation into demo_output/
	@$(BIN)/tellegen show examples/dc_drive.py:Drive --stage flat
	@echo
	@MPLBACKEND=Agg $(BIN)/python examples/dc_drive.py

test: $(STAMP) ## all tests (arguments for pytest: make test PYTEST="-k flat -x")
	@$(BIN)/python -m pytest $(PYTEST)

lint: $(STAMP) ## ruff (rules and format) and pyright
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/pyright

format: $(STAMP) ## format all files and fix what ruff can fix
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

docs: $(DOCS) ## the documentation into site/, strict: a broken link is an error
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	@echo "docs: site/index.html"

bench: $(STAMP) ## every benchmark, one after the other
	@for file in benchmarks/[a-z]*.py; do \
		[ -f "$$file" ] || { echo "no benchmarks yet"; break; }; \
		echo "== $$file"; $(BIN)/python "$$file" || exit 1; \
	done

msl: $(STAMP) ## examples of the Modelica library against their references (TELLEGEN_MSL, TELLEGEN_MSL_REFERENCES)
	@$(BIN)/python -m benchmarks.modelica.batch --waves 1,2 --results demo_output/msl.json $(MSL)
	@$(BIN)/python -m benchmarks.modelica.page demo_output/msl.json

studio: $(STAMP) ## build the studio's page and start it on the examples (another folder: make studio FOLDER=models)
	@$(BIN)/python studio_client/build.py
	@$(BIN)/tellegen studio $(or $(FOLDER),examples)

clean: ## remove what the commands above made, the virtual environment too
	rm -rf $(VENV) demo_output site build dist tellegen/studio/server/static studio_client/node_modules .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# Made again whenever pyproject.toml changes; otherwise the second run costs nothing.
$(STAMP): pyproject.toml
	@sh .ci/find-python --check "$(PYTHON)"
	@echo "setting up $(VENV) with $(PYTHON) (only when pyproject.toml is new)"
	@[ -x $(BIN)/python ] || "$(PYTHON)" -m venv $(VENV) || { \
		rm -rf $(VENV); \
		echo "cannot make a virtual environment: install the venv module of your Python (Debian, Ubuntu: python3-venv)"; \
		exit 1; }
	@$(PIP) install --editable ".[dev]"
	@$(BIN)/python -m compileall -q tellegen  # starts half a second faster where PYTHONDONTWRITEBYTECODE is set
	@touch $@

$(DOCS): $(STAMP)
	@$(PIP) install --editable ".[dev,docs]"
	@touch $@
