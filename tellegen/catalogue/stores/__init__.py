"""Where catalogues are kept: documents (TOML, JSON), tables (CSV, pandas) and SQLite files."""
