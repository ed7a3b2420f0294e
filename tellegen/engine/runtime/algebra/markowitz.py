"""Native search for pivots of a sparse matrix: stable ones that fill the factors as little as possible.

choose_pivots     entries of a matrix -> the order in which its rows and columns are eliminated, and all entries that
                  the factors have at the end, those that were filled in included

Gaussian elimination is carried out, each time with the entry for which (entries of its row - 1) times (entries of its
column - 1) is smallest among those that are not small in their column (Markowitz, Management Science 3, 1957); a few
columns and rows with the fewest entries are searched (Zlatev, SIAM J. Numer. Anal. 17, 1980). For a matrix with
symmetric pattern that is the minimum-degree ordering. Entries are linked in both directions by row and by column, and
found by a hash table, so that a row to which everything is connected costs no more than others.
"""

from __future__ import annotations

import math

from tellegen.procedures.language import Array, Record, f64, i32, i64, procedure

REGULAR = 0
SINGULAR = 1
FULL = 2
DENSE = 3
"""What the search returns; FULL: it needs more room for entries, and then continues; DENSE: so many entries are left
that it does not matter any more which comes first."""

_NONE = -1
_DENSITY = 0.7
_WORTH = 40  # rows that are worth being treated as a dense matrix
_SHORT = 3  # entries of rows that are searched; columns alone do as well beyond it, and faster
_SEARCHED = 4  # rows or columns in which an entry was found before the best one is taken
_PASSED = 8  # rows with none that is better; thousands may be as short, each step would look at all of them
_HASH = -7046029254386353131  # 2**64 over the golden ratio, as a signed number: spreads consecutive numbers
_SHIFT = 20


class Lines(Record):
    """The rows of a matrix, or its columns: lists of entries that are linked, and lists of lines with equally many."""

    first: Array[i32]  # entry of each line
    after: Array[i32]  # for each entry, the next of its line
    before: Array[i32]
    count: Array[i32]  # entries of each line
    shortest: Array[i32]  # for each number of entries, the first line that has so many
    next_line: Array[i32]
    previous_line: Array[i32]


class PivotSearch(Record):
    """A matrix while it is eliminated."""

    size: i64
    entries: i64  # so far: those of the matrix, and what was filled in
    linked: i64  # entries that are in their rows and columns
    hashed: i64  # entries that are in the table
    left: i64  # entries in rows and columns that are not eliminated
    steps: i64  # rows eliminated so far
    room: i64
    mask: i64  # length of the hash table, a power of two, less one
    threshold: f64
    row: Array[i32]  # of each entry
    column: Array[i32]
    value: Array[f64]
    table: Array[i32]  # number of an entry plus one; 0 where there is none
    largest: Array[f64]  # size of the largest entry that is left of each column, below zero where it is not known
    rows: Lines
    columns: Lines
    row_order: Array[i32]
    column_order: Array[i32]
    pivot: i64  # the entry chosen at this step, and what it costs
    cost: i64
    relative: f64  # its size, compared with the largest of its column


@procedure
def choose_pivots(search: PivotSearch) -> i32:
    """The elimination of all rows; see the top of this file."""
    for k in range(search.hashed, search.entries):
        _remember(search, k)
    if search.linked == 0:
        _begin(search)
    for step in range(search.steps, search.size):
        rest = search.size - step
        if rest >= _WORTH and float(search.left) > _DENSITY * float(rest * rest):
            return DENSE
        _find_pivot(search)
        if search.pivot == _NONE:
            return SINGULAR
        search.row_order[step] = search.row[search.pivot]
        search.column_order[step] = search.column[search.pivot]
        if not _eliminate(search):
            return FULL
        search.steps = step + 1
    return REGULAR


@procedure
def _begin(search: PivotSearch) -> None:
    """Link all entries of the matrix."""
    for k in range(search.entries):
        _store(search, k)
    for k in range(search.size):
        _file(search.rows, k)
        _file(search.columns, k)


@procedure
def _store(search: PivotSearch, entry: i64) -> None:
    """Link an entry in its row and its column."""
    _link(search.rows, search.row[entry], entry)
    _link(search.columns, search.column[entry], entry)
    search.linked += 1
    search.left += 1


@procedure
def _remember(search: PivotSearch, entry: i64) -> None:
    """Put an entry into the table."""
    mask = search.mask
    table = search.table
    at = _first_place(search, search.row[entry], search.column[entry])
    while table[at] != 0:
        at = (at + 1) & mask
    table[at] = entry + 1
    search.hashed += 1


@procedure
def _find(search: PivotSearch, row: i64, column: i64) -> i64:
    """The entry at a row and a column, or none."""
    mask = search.mask
    table = search.table
    at = _first_place(search, row, column)
    while table[at] != 0:
        entry = table[at] - 1
        if search.row[entry] == row and search.column[entry] == column:
            return entry
        at = (at + 1) & mask
    return _NONE


@procedure
def _first_place(search: PivotSearch, row: i64, column: i64) -> i64:
    """Where the table is looked at first."""
    return (((row * search.size + column) * _HASH) >> _SHIFT) & search.mask


@procedure
def _link(lines: Lines, line: i64, entry: i64) -> None:
    """Put an entry first in its line."""
    second = lines.first[line]
    lines.after[entry] = second
    lines.before[entry] = _NONE
    if second != _NONE:
        lines.before[second] = entry
    lines.first[line] = entry
    lines.count[line] = lines.count[line] + 1


@procedure
def _unlink(lines: Lines, line: i64, entry: i64) -> None:
    """Take an entry out of its line."""
    after = lines.after[entry]
    before = lines.before[entry]
    if before == _NONE:
        lines.first[line] = after
    else:
        lines.after[before] = after
    if after != _NONE:
        lines.before[after] = before
    lines.count[line] = lines.count[line] - 1


@procedure
def _file(lines: Lines, line: i64) -> None:
    """Put a line first among those that have as many entries."""
    count = lines.count[line]
    second = lines.shortest[count]
    lines.next_line[line] = second
    lines.previous_line[line] = _NONE
    if second != _NONE:
        lines.previous_line[second] = line
    lines.shortest[count] = line


@procedure
def _unfile(lines: Lines, line: i64) -> None:
    """Take a line out before its number of entries changes."""
    after = lines.next_line[line]
    before = lines.previous_line[line]
    if before == _NONE:
        lines.shortest[lines.count[line]] = after
    else:
        lines.next_line[before] = after
    if after != _NONE:
        lines.previous_line[after] = before


@procedure
def _find_pivot(search: PivotSearch) -> None:
    """The entry that costs least among those of short columns and rows; none where all entries are zero."""
    search.pivot = _NONE
    search.cost = search.size * search.size + 1
    search.relative = 0.0
    searched = 0
    passed = 0
    for count in range(1, search.size + 1):
        column = search.columns.shortest[count]
        while column != _NONE:
            searched += int(_try_column(search, column))
            if searched >= _SEARCHED or search.cost <= (count - 1) * (count - 1):
                return
            column = search.columns.next_line[column]
        if search.cost <= count * (count - 1):
            return
        row = search.rows.shortest[count] if count <= _SHORT else _NONE
        while row != _NONE:
            is_found = _try_row(search, row)
            searched += int(is_found)
            passed += int(not is_found and search.pivot != _NONE)
            if searched >= _SEARCHED or passed >= _PASSED or search.cost <= (count - 1) * (count - 1):
                return
            row = search.rows.next_line[row]


@procedure
def _try_column(search: PivotSearch, column: i64) -> bool:
    """Compare the entries of a column with the best so far; whether one of them could be used."""
    largest = _largest(search, column)
    others = search.columns.count[column] - 1
    entry = search.columns.first[column]
    found = False
    while entry != _NONE:
        found = _try(search, entry, largest, others * (search.rows.count[search.row[entry]] - 1)) or found
        entry = search.columns.after[entry]
    return found


@procedure
def _try_row(search: PivotSearch, row: i64) -> bool:
    """The same for a row; columns that are too long to be better are not looked at."""
    others = search.rows.count[row] - 1
    entry = search.rows.first[row]
    found = False
    while entry != _NONE:
        column = search.column[entry]
        cost = others * (search.columns.count[column] - 1)
        if cost < search.cost:
            found = _try(search, entry, _largest(search, column), cost) or found
        entry = search.rows.after[entry]
    return found


@procedure
def _try(search: PivotSearch, entry: i64, largest: f64, cost: i64) -> bool:
    """Take an entry if it is large enough and better than the best so far; whether it is large enough."""
    size = abs(search.value[entry])
    if not (0.0 < largest < math.inf) or size < search.threshold * largest:
        return False
    if cost < search.cost or (cost == search.cost and size > search.relative * largest):
        search.pivot = entry
        search.cost = cost
        search.relative = size / largest
    return True


@procedure
def _largest(search: PivotSearch, column: i64) -> f64:
    """The size of the largest entry of a column that is left."""
    largest = search.largest[column]
    if largest >= 0.0:
        return largest
    largest = 0.0
    entry = search.columns.first[column]
    while entry != _NONE:
        largest = max(largest, abs(search.value[entry]))
        entry = search.columns.after[entry]
    search.largest[column] = largest
    return largest


@procedure
def _eliminate(search: PivotSearch) -> bool:
    """One step with the pivot; False where there is no room for what it fills in."""
    rows = search.rows
    columns = search.columns
    pivot = search.pivot
    row = search.row[pivot]
    column = search.column[pivot]
    if search.entries + columns.count[column] * rows.count[row] > search.room:
        return False
    search.left -= columns.count[column] + rows.count[row] - 1
    _unfile(rows, row)
    _unfile(columns, column)
    _unlink(rows, row, pivot)
    _unlink(columns, column, pivot)
    below = columns.first[column]
    right = rows.first[row]
    entry = below
    while entry != _NONE:  # the rest of the column leaves its rows
        _unfile(rows, search.row[entry])
        _unlink(rows, search.row[entry], entry)
        entry = columns.after[entry]
    entry = right
    while entry != _NONE:
        _unfile(columns, search.column[entry])
        _unlink(columns, search.column[entry], entry)
        search.largest[search.column[entry]] = -1.0
        entry = rows.after[entry]
    entry = below
    while entry != _NONE:
        _subtract(search, entry, right, search.value[entry] / search.value[pivot])
        _file(rows, search.row[entry])
        entry = columns.after[entry]
    entry = right
    while entry != _NONE:
        _file(columns, search.column[entry])
        entry = rows.after[entry]
    return True


@procedure
def _subtract(search: PivotSearch, entry: i64, right: i64, factor: f64) -> None:
    """Subtract a multiple of the pivot's row from the row of an entry."""
    row = search.row[entry]
    other = right
    while other != _NONE:
        column = search.column[other]
        change = factor * search.value[other]
        found = _find(search, row, column)
        if found == _NONE:
            found = search.entries
            search.entries = found + 1
            search.row[found] = row
            search.column[found] = column
            search.value[found] = -change
            _store(search, found)
            _remember(search, found)
        else:
            search.value[found] = search.value[found] - change
        other = search.rows.after[other]
