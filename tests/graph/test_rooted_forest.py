"""Rooted forests, against their definition on random graphs."""

from __future__ import annotations

import random

from tellegen.graph.rooted_forest import ForestTask, rooted_forest


def _trees(count: int, edges: list[tuple[int, int]]) -> list[set[int]]:
    """Connected sets by naive merging."""
    sets = [{k} for k in range(count)]
    for a, b in edges:
        one = next(s for s in sets if a in s)
        other = next(s for s in sets if b in s)
        if one is not other:
            sets.remove(other)
            one |= other
    return sets


def test_every_tree_has_one_root_and_no_circle() -> None:
    generator = random.Random(7)
    for _ in range(300):
        count = generator.randint(1, 12)
        vertices = range(count)
        branches: list[tuple[int, int]] = []
        for b in vertices:
            if b and generator.random() < 0.4:
                branches.append((generator.randrange(b), b))  # never a circle
        trees = _trees(count, branches)
        roots = [generator.choice(sorted(tree)) for tree in trees if generator.random() < 0.3]
        edges = [(generator.choice(vertices), generator.choice(vertices)) for _ in range(generator.randint(0, 15))]
        potential = [(generator.randint(0, 2), generator.choice(vertices)) for _ in range(generator.randint(0, 4))]
        forest = rooted_forest(ForestTask(count, branches, edges, roots, potential))
        kept = branches + [edge for edge, is_cut in zip(edges, forest.cut, strict=True) if not is_cut]
        found = _trees(count, kept)
        assert len(kept) == count - len(found)  # no circle
        assert all(len(tree & forest.roots) == 1 for tree in found)
        assert set(roots) <= forest.roots
        assert not forest.conflicts
        for tree in found:
            certain = tree & set(roots)
            first = min(((p, k, v) for k, (p, v) in enumerate(potential) if v in tree), default=None)
            assert tree & forest.roots == (certain or {first[2] if first is not None else min(tree)})
        for a, b in kept:
            assert abs(forest.depth[a] - forest.depth[b]) == 1
        for (a, b), is_cut in zip(edges, forest.cut, strict=True):
            one = next(tree for tree in found if a in tree)
            both_rooted = any(r in one for r in roots) and any(r in next(t for t in found if b in t) for r in roots)
            assert not is_cut or b in one or both_rooted


def test_what_cannot_be_cut_is_reported() -> None:
    forest = rooted_forest(ForestTask(3, [(0, 1), (1, 2), (2, 0)], [], [0, 2], []))
    assert forest.loops == (2,)
    assert forest.conflicts == (2,)
