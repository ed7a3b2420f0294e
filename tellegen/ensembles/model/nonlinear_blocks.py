"""Nonlinear algebraic loops as text of one run: Newton's method for the tears, in every lane until it has its own.

    loop7:     trial, base, change, factors, length, part        as the round before left them
               rows that judge and their slopes by the tears     -> what is left, with the factors of the base
               shorter: a new step;   not: half the way back;    small: done
               again while a lane is not done

Steps and trials are those of engine/runtime/algebra/block_newton.py. The guess is what was found last: it stands among
the numbers of the run. Where no solution is found the tears are NaN, so that the step is made again, shorter; functions
by which something is decided note it, and the run is left to the scalar engine.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from tellegen.codegen.scalar import literal
from tellegen.engine.loaded.solve_record import NEAR_THE_LAST_SOLUTION
from tellegen.ensembles.model.linear_blocks import Block, Pivoted, System, systems_at
from tellegen.ensembles.model.lookups import LookupPrinter
from tellegen.ensembles.model.straight import Straight
from tellegen.ir.ode import OdeProgram, Solve

_MOST_ROUNDS = NEAR_THE_LAST_SOLUTION.most_trials
_TOLERANCE = literal(1e-9)
_SMALL_STEP = literal(1e-8)
_STUCK = literal(1e-6)
_LEAST_PART = literal(NEAR_THE_LAST_SOLUTION.smallest_damping)
_ZERO, _QUARTER, _HALF, _ONE = (literal(value) for value in (0.0, 0.25, 0.5, 1.0))
_NAN, _INFINITY = (literal(float(value)) for value in ("nan", "inf"))


@dataclass(frozen=True, eq=False)
class _Trial:
    """Of a block, what goes from round to round: the trial; where its step started, the step, its length and factors,
    and the part of it that is tried."""

    tears: tuple[str, ...]
    base: tuple[str, ...]
    change: tuple[str, ...]
    factors: tuple[str, ...]
    length: str
    part: str
    masks: tuple[str, ...]  # of the factors
    is_fresh: str  # whether the trial is where a step starts
    done: str
    failed: str

    @property
    def numbers(self) -> tuple[str, ...]:
        """All but the truths."""
        return (*self.tears, *self.base, *self.change, *self.factors, self.length, self.part)

    @property
    def truths(self) -> tuple[str, ...]:
        """The others."""
        return (*self.masks, self.is_fresh, self.done, self.failed)


def solve_nonlinear(
    straight: Straight, program: OdeProgram, step: Solve, blocks: Sequence[Block]
) -> list[tuple[Block, Pivoted]]:
    """The factors of blocks at their solutions; the tears are known then."""
    printer = straight.printer
    guesses = [tuple(straight.guess(tear) for tear in block.tears) for block in blocks]
    scales = [tuple(straight.scale(tear) for tear in block.tears) for block in blocks]
    memory = [_Memory(printer, len(block.tears)) for block in blocks]
    for one, guess in zip(memory, guesses, strict=True):
        one.keep(_begun(guess))
    label = f"loop{printer.count}"
    rounds = f"%{label}.rounds"
    printer.lines.insert(0, f"  {rounds} = alloca i64")
    printer.lines += [f"  store i64 0, ptr {rounds}", f"  br label %{label}", f"{label}:"]
    trials = [one.read() for one in memory]
    systems = systems_at(straight, program, step, blocks, [trial.tears for trial in trials])
    found = [_Round(printer, *one).next() for one in zip(trials, systems, scales, strict=True)]
    for one, trial in zip(memory, found, strict=True):
        one.keep(trial)
    _again(printer, found, label, rounds)
    for block, trial, guess in zip(blocks, found, guesses, strict=True):
        for tear, value, before in zip(block.tears, trial.tears, guess, strict=True):
            straight.known[tear] = printer.emit(f"select i1 {trial.done}, double {value}, double {_NAN}")
            straight.keep_guess(tear, printer.emit(f"select i1 {trial.done}, double {value}, double {before}"))
        straight.note_lost(trial.done)
    return [(block, system.factors) for block, system in zip(blocks, systems, strict=True)]


def _begun(guess: tuple[str, ...]) -> _Trial:
    """Before the first round, which starts a step."""
    n = len(guess)
    zeros = (_ZERO,) * n
    nothing = (_ZERO,) * _factor_count(n)
    masks = ("false",) * _mask_count(n)
    return _Trial(guess, guess, zeros, nothing, _INFINITY, _ONE, masks, "true", "false", "false")


def _factor_count(size: int) -> int:
    """Numbers of a factored matrix: the upper triangle with reciprocal pivots, and what rows were added."""
    return size * size


def _mask_count(size: int) -> int:
    """Truths of it: which rows changed places."""
    return size * (size - 1) // 2


def _again(printer: LookupPrinter, trials: Sequence[_Trial], label: str, rounds: str) -> None:
    """Back to the label while a block of a lane is neither done nor failed."""
    is_open = "false"
    for trial in trials:
        over = printer.emit(f"or i1 {trial.done}, {trial.failed}")
        more = printer.emit(f"xor i1 {over}, true")
        is_open = printer.emit(f"or i1 {is_open}, {more}")
    is_any = printer.emit(f"call bit @job.is_any(i1 {is_open})")
    before = printer.emit(f"load i64, ptr {rounds}")
    count = printer.emit(f"add i64 {before}, 1")
    printer.lines.append(f"  store i64 {count}, ptr {rounds}")
    is_few = printer.emit(f"icmp slt i64 {count}, {_MOST_ROUNDS}")
    goes_on = printer.emit(f"and bit {is_any}, {is_few}")
    printer.lines += [f"  br bit {goes_on}, label %{label}, label %{label}.over", f"{label}.over:"]


class _Memory:
    """Where a trial stands between rounds; LLVM puts it in registers."""

    def __init__(self, printer: LookupPrinter, size: int) -> None:
        self.printer = printer
        self.size = size
        name = f"%trial{printer.count}"
        printer.count += 1
        self.numbers = [f"{name}.number{k}" for k in range(3 * size + _factor_count(size) + 2)]
        self.truths = [f"{name}.truth{k}" for k in range(_mask_count(size) + 3)]
        for kind, places in (("double", self.numbers), ("i1", self.truths)):
            for place in places:
                printer.lines.insert(0, f"  {place} = alloca {kind}")

    def keep(self, trial: _Trial) -> None:
        """Store it."""
        for place, value in zip(self.numbers, trial.numbers, strict=True):
            self.printer.lines.append(f"  store double {value}, ptr {place}")
        for place, value in zip(self.truths, trial.truths, strict=True):
            self.printer.lines.append(f"  store i1 {value}, ptr {place}")

    def read(self) -> _Trial:
        """Load it."""
        n = self.size
        numbers = tuple(self.printer.emit(f"load double, ptr {place}") for place in self.numbers)
        *masks, is_fresh, done, failed = (self.printer.emit(f"load i1, ptr {place}") for place in self.truths)
        vectors = numbers[:n], numbers[n : 2 * n], numbers[2 * n : 3 * n], numbers[3 * n : -2]
        return _Trial(*vectors, numbers[-2], numbers[-1], tuple(masks), is_fresh, done, failed)


class _Round:
    """A round of a block: its trial judged by the correction with the factors of its step, and the next one."""

    def __init__(self, printer: LookupPrinter, trial: _Trial, system: System, scales: tuple[str, ...]) -> None:
        self.printer = printer
        self.emit: Callable[[str], str] = printer.emit
        self.trial = trial
        self.system = system
        self.scales = scales

    def next(self) -> _Trial:
        """The trial of the next round; one that is done or has failed stays as it is."""
        trial = self.trial
        old = Pivoted.of_registers(self.printer, len(trial.tears), trial.factors, trial.masks)
        correction = old.solve(self.system.left)
        left = self._length(correction, trial.base)
        is_finite = self._emit_less(left, _INFINITY)
        is_whole = self.emit(f"fcmp oeq double {trial.part}, {_ONE}")
        is_good = self._both(self._not(trial.is_fresh), self._is_shorter(left))
        is_done = self._both(is_good, is_whole, self.emit(f"fcmp ole double {left}, {_TOLERANCE}"))
        is_bad = self._both(self._not(trial.is_fresh), self._not(is_good))
        was_tiny = self.emit(f"fcmp ole double {trial.length}, {_STUCK}")
        is_stuck = self._both(is_bad, is_whole, was_tiny, is_finite)  # steps so short that do not shrink are rounding
        starts = self._either(trial.is_fresh, self._both(is_good, self._not(is_done)))
        found = self._back(is_bad, is_stuck)
        found = self._last(found, is_done, correction)
        found = self._started(found, starts)
        return self._kept(found)

    def _back(self, is_bad: str, is_stuck: str) -> _Trial:
        """Half of the part that was tried, where that was bad."""
        trial = self.trial
        halved = self.emit(f"fmul double {trial.part}, {_HALF}")
        has_failed = self._both(is_bad, self._not(is_stuck), self._emit_less(halved, _LEAST_PART))
        moves = self._both(is_bad, self._not(is_stuck))
        tears = self._chosen_all(moves, self._moved(trial.base, halved, trial.change), trial.tears)
        part = self._chosen(moves, halved, trial.part)
        return replace(trial, tears=tears, part=part, done=is_stuck, failed=has_failed)

    def _last(self, found: _Trial, is_done: str, correction: Sequence[str]) -> _Trial:
        """The last correction, where nothing is left to do after it."""
        tears = tuple(self._less(value, part) for value, part in zip(self.trial.tears, correction, strict=True))
        return replace(
            found, tears=self._chosen_all(is_done, tears, found.tears), done=self._either(found.done, is_done)
        )

    def _started(self, found: _Trial, starts: str) -> _Trial:
        """A new step from the trial where it is due; the last one if it is short."""
        trial = self.trial
        factors = self.system.factors
        change = [self.emit(f"fneg double {value}") for value in factors.solve(self.system.left)]
        length = self._length(change, trial.tears)
        is_short = self._both(starts, self.emit(f"fcmp ole double {length}, {_SMALL_STEP}"))
        is_lost = self._both(starts, self._not(self._emit_less(length, _INFINITY)))
        numbers, masks = factors.registers()
        return replace(
            found,
            tears=self._chosen_all(starts, self._moved(trial.tears, _ONE, change), found.tears),
            base=self._chosen_all(starts, trial.tears, trial.base),
            change=self._chosen_all(starts, change, trial.change),
            factors=self._chosen_all(starts, numbers, trial.factors),
            length=self._chosen(starts, length, trial.length),
            part=self._chosen(starts, _ONE, found.part),
            masks=tuple(self._chosen(starts, new, old, "i1") for new, old in zip(masks, trial.masks, strict=True)),
            is_fresh="false",
            done=self._either(found.done, is_short),
            failed=self._either(found.failed, is_lost),
        )

    def _kept(self, found: _Trial) -> _Trial:
        """What was before, where it is over."""
        trial = self.trial
        is_over = self._either(trial.done, trial.failed)
        tears = self._chosen_all(is_over, trial.tears, found.tears)
        done = self._chosen(is_over, trial.done, found.done, "i1")
        failed = self._chosen(is_over, trial.failed, found.failed, "i1")
        return replace(found, tears=tears, done=done, failed=failed)

    def _is_shorter(self, left: str) -> str:
        """Whether the correction that is left is shorter than the step before, as far as that was gone."""
        gone = self.emit(f"fmul double {self.trial.part}, {_QUARTER}")
        most = self.emit(f"fmul double {self._less(_ONE, gone)}, {self.trial.length}")
        is_less = self.emit(f"fcmp ole double {left}, {most}")
        return self._either(is_less, self.emit(f"fcmp ole double {left}, {_TOLERANCE}"))

    def _length(self, parts: Sequence[str], unknowns: Sequence[str]) -> str:
        """Of a correction, relative to unknowns or, where these are larger, their scales."""
        total = _ZERO
        for part, value, scale in zip(parts, unknowns, self.scales, strict=True):
            size = self.emit(f"call double @llvm.fabs.f64(double {value})")
            is_large = self.emit(f"fcmp ogt double {size}, {scale}")
            ratio = self.emit(f"fdiv double {part}, {self._chosen(is_large, size, scale)}")
            square = self.emit(f"fmul double {ratio}, {ratio}")
            total = self.emit(f"fadd double {total}, {square}")
        return self.emit(f"call double @llvm.sqrt.f64(double {total})")

    def _moved(self, base: Sequence[str], part: str, change: Sequence[str]) -> tuple[str, ...]:
        steps = [self.emit(f"fmul double {part}, {way}") for way in change]
        return tuple(self.emit(f"fadd double {value}, {step}") for value, step in zip(base, steps, strict=True))

    def _less(self, value: str, other: str) -> str:
        return self.emit(f"fsub double {value}, {other}")

    def _emit_less(self, value: str, most: str) -> str:
        return self.emit(f"fcmp olt double {value}, {most}")

    def _both(self, first: str, *others: str) -> str:
        for other in others:
            first = self.emit(f"and i1 {first}, {other}")
        return first

    def _either(self, first: str, second: str) -> str:
        return self.emit(f"or i1 {first}, {second}")

    def _not(self, mask: str) -> str:
        return self.emit(f"xor i1 {mask}, true")

    def _chosen(self, mask: str, first: str, second: str, kind: str = "double") -> str:
        return self.emit(f"select i1 {mask}, {kind} {first}, {kind} {second}")

    def _chosen_all(self, mask: str, first: Sequence[str], second: Sequence[str]) -> tuple[str, ...]:
        return tuple(self._chosen(mask, *pair) for pair in zip(first, second, strict=True))
