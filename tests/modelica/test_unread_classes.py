"""Classes inside of a library's classes: read when they are asked for, kept as far as they were read."""

from __future__ import annotations

from pathlib import Path

import pytest

from modelica.trees import placed, without_tokens
from tellegen.errors import ModelicaError
from tellegen.frontends.modelica.store.store import Store
from tellegen.frontends.modelica.store.trees import Trees
from tellegen.frontends.modelica.store.unread_classes import parse_outside
from tellegen.frontends.modelica.syntax.classes import ClassDefinition, StoredDefinition
from tellegen.frontends.modelica.syntax.parser import parse
from tellegen.frontends.modelica.syntax.source_file import SourceFile
from tellegen.kept.read_files import is_settled, stamp_of
from waiting import wait_until

TEXT = """within;
package P "all" + " of it"
  model A "the first"
    Real a[3] = x[end:end] "end A;";  // end A;
    model A "inside of A" Real y; model extends A(z=1) end A; end A;
    type B = Real;
  equation
    if true then a = 1; end if;
    for i in 1:3 loop connect(A.x, b); end for;
    annotation(Documentation(info="end A;"));
  end A;
  replaceable model R Real r; end R constrainedby A "what it is" annotation(choicesAllMatching=true);
  function f input Real u; output Real y; external "C" y = g(u); end f;
  type Short = enumeration(a, b);
  partial model 'end' end 'end';
end P;
"""


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TELLEGEN_CACHE", str(tmp_path / "cache"))


def written(path: Path, text: str) -> SourceFile:
    """A file that has settled, so that its tree is kept."""
    path.write_text(text, encoding="utf-8")
    wait_until(lambda: is_settled(stamp_of(str(path))), "the file settles")
    return SourceFile(str(path))


def inside(tree: StoredDefinition) -> dict[str, ClassDefinition]:
    return {item.name: item for item in tree.classes[0].elements if isinstance(item, ClassDefinition)}


def test_read_later_is_the_same_tree() -> None:
    file = SourceFile("text", TEXT)
    found = parse_outside(file)
    assert [name for name, each in inside(found).items() if each.unread] == ["A", "f", "Short", "'end'"]
    assert inside(found)["A"].description == "the first"
    whole = file.unread()
    assert placed(found, file) == placed(parse(whole), whole)
    assert not any(each.unread for each in inside(found).values())


def test_what_was_read_is_kept_and_the_rest_stays_unread(tmp_path: Path) -> None:
    file = written(tmp_path / "P.mo", TEXT)
    whole = file.unread()
    expected = placed(parse(whole), whole)
    trees = Trees()
    assert inside(trees.outside(file))["f"].external is not None
    trees.keep()
    again = Trees()
    other = SourceFile(file.path)
    kept = again.outside(other)
    assert [name for name, each in inside(kept).items() if each.unread] == ["A", "Short", "'end'"]
    assert placed(kept, other) == expected, "the others are read from the text"
    again.keep()
    further = Trees().outside(SourceFile(file.path))
    assert not any(each.unread for each in inside(further).values()), "kept with all that was read since"


WORDS = """
package P // model A end A; "
  function f input Real u; end f;
  Real x[3] = {quad(function f(k = 1)), x[end], x[end - 1]}; /* end P; ' */
  Real x_end "x_", y_model; Real my_end = 1; // end
  operator record C operator 'constructor' function g end g; end 'constructor'; end C;
  model B = M "not a class: model B end B;";
  model modelled "end" + " modelled" Real ended; equation ended = 1 / 2 // 3
    ; end modelled;
  redeclare model extends other(ended(start = 1)) Real y; end other;
  encapsulated partial block Q block Q end Q; end Q;
end P;
model R model R end R; end R;
"""


def test_keywords_where_no_class_begins_or_ends() -> None:
    file = SourceFile("text", WORDS)
    found = parse_outside(file)
    assert [name for name, each in inside(found).items() if each.unread] == ["f", "C", "B", "modelled", "Q"]
    whole = file.unread()
    assert placed(found, file) == placed(parse(whole), whole)


def test_mistakes_inside_are_reported_when_they_are_read() -> None:
    text = "package P model A Real x y; end A; model B Real z end B; model C end C; end P;"
    tree = parse_outside(SourceFile("text", text))
    assert inside(tree)["C"].elements == []
    for _ in range(2):  # and not forgotten
        with pytest.raises(ModelicaError, match=r"E540.*found 'y'[\s\S]*1:51: expected ';', found 'end'"):
            _ = inside(tree)["A"].elements


def test_short_classes_in_brackets_end_with_them_and_mistakes_in_others_wait() -> None:
    text = "package P extends Q(redeclare type S = R(k = 1), redeclare replaceable type U = R constrainedby R); "
    text += 'replaceable type V = R constrainedby R "v"; type W = enumeration(a, b "(") "w"; type X = der(f, x); end P;'
    tree = parse_outside(SourceFile("text", text))
    assert [name for name, each in inside(tree).items() if each.unread] == ["W", "X"]
    assert without_tokens(tree) == without_tokens(parse(SourceFile("text", text)))
    wrong = parse_outside(SourceFile("text", "package P model C end C; type U = A B; end P;"))
    with pytest.raises(ModelicaError, match="expected ';', found 'B'"):
        _ = inside(wrong)["U"].short


@pytest.mark.parametrize("text", ["package P model A Real x; end B; end P;", "package P model A model A end A; end P;"])
def test_a_class_without_its_end_is_reported_at_once(text: str) -> None:
    with pytest.raises(ModelicaError) as whole:
        parse(SourceFile("text", text))
    with pytest.raises(ModelicaError) as outside:
        parse_outside(SourceFile("text", text))
    assert str(outside.value) == str(whole.value)


def test_a_file_that_changes_between_two_of_its_classes(tmp_path: Path) -> None:
    folder = tmp_path / "P"
    folder.mkdir()
    file = written(folder / "package.mo", TEXT)
    first = Store([])
    first.add(folder)
    del first  # which keeps its trees
    store = Store([])
    store.add(folder)
    definition = store.child((), "P")
    assert definition is not None
    Path(file.path).write_text(TEXT.replace("model A", "model Another"), encoding="utf-8")
    with pytest.raises(ModelicaError, match="E593: the file was changed after some of its classes were read"):
        _ = inside(StoredDefinition((), [definition.definition]))["A"].elements
