"""Puzzles as tasks for language models and agents, with their true difficulty.

A task has a prompt, the proved optimum, and a verifier that replays an answer by the independent
checker and gives partial credit by the distance that is left. Tasks are a function of their seed.

>>> from unriddle import tasks
>>> task = tasks.make("tiles", 1, optimal=range(5, 9), seed=3)[0]
>>> 5 <= task.optimal < 9
True
>>> task.score(task.solution), task.score("no answer")
(1.0, 0.0)
"""

from __future__ import annotations

import random
from collections.abc import Container
from dataclasses import dataclass

from ._native import Refused
from .puzzle import Instance, puzzle
from .record import Record


@dataclass(frozen=True)
class Kind:
    """How tasks of a puzzle are made and told."""

    puzzle: str
    """Spec of the puzzle."""
    generator: str
    """Spec of the generator."""
    solver: str
    """Solver that proves optima."""
    rules: str
    """The rules and the notation, for the prompt."""


KINDS = {
    "tiles": Kind(
        "tiles",
        "walk(3, min=2, max=60)",
        "optimal",
        "Slide the tiles of this board until they are in order with the blank (0) last. The board "
        "is given row by row. Answer with a sequence of the letters U, D, L and R, each the "
        "direction in which a tile slides into the blank.",
    ),
    "cube": Kind(
        "cube(size=2)",
        "scramble(min=1, max=14)",
        "optimal",
        "Solve this 2x2x2 cube. Answer with face turns such as R, U' and F2, separated by blanks; "
        "the corner at down, back and left stays in its place, so that only R, U and F turn.",
    ),
    "lightsout": Kind(
        "lightsout",
        "random(5, 5)",
        "optimal",
        "Turn all lights (1) off. Pressing a cell toggles it and its neighbours above, below, left "
        "and right. Answer with the pressed cells as row,column, counted from 0 and separated by "
        "blanks.",
    ),
    "sokoban": Kind(
        "sokoban",
        "room(2, rows=6, columns=7)",
        "optimal",
        "Push each box ($) onto a goal (.). The player is @, a wall #, a box on a goal *, the "
        "player on a goal +. Answer with the steps of the player as the letters u, d, l and r, in "
        "capitals where a box is pushed.",
    ),
    "hanoi": Kind(
        "hanoi",
        "random(8)",
        "optimal",
        "Move all disks of this Tower of Hanoi to the last peg. The numbers are the pegs of the "
        "disks, the smallest disk first. A disk never lies on a smaller one. Answer with moves "
        "such as 1-3, from peg 1 to peg 3, separated by blanks.",
    ),
}
"""The puzzles with tasks, by name."""


@dataclass(frozen=True)
class Task:
    """An instance with a proved optimum."""

    instance: Instance
    """The instance."""
    prompt: str
    """The rules, the instance and the question."""
    optimal: int
    """Cost of the best solution, which is proved."""
    solution: str
    """A best solution."""
    branching: float
    """Mean number of legal actions along the best solution."""
    dead_ends: float | None
    """Share of the other legal actions along the best solution after which no solution is left;
    `None` where this is not known within the limit of states."""
    seed: int
    """Seed of the instance."""

    def score(self, answer: str) -> float:
        """1 for a best solution, less for a longer one (`optimal / cost`), at most 1/2 for a legal
        line that ends before a goal, by the share of the distance that it has covered, and 0 for
        anything else."""
        try:
            value, _ = self.instance.check(answer.strip())
        except Refused:
            return self._partial(answer.strip())
        return 1.0 if value <= self.optimal else self.optimal / value

    def _partial(self, answer: str) -> float:
        try:
            position = self.instance.position(answer)
        except Refused:
            return 0.0
        left = position.solve(_KIND_OF[self.instance.puzzle.spec].solver)
        if not left.is_solved or self.optimal == 0:
            return 0.0
        return 0.5 * max(0.0, 1.0 - float(left["value"]) / self.optimal)


_KIND_OF = {kind.puzzle: kind for kind in KINDS.values()}


def make(
    name: str,
    n: int,
    *,
    optimal: Container[int] | None = None,
    seed: int = 0,
    generator: str | None = None,
    tries: int = 1000,
) -> list[Task]:
    """Makes `n` different tasks of a puzzle of `KINDS`, whose optimum is in `optimal`.

    The tasks are the same for the same arguments on every machine. `tries` instances are looked at
    for each task at most; where too few fit, `ValueError` says so.
    """
    if name not in KINDS:
        raise ValueError(f"no tasks of {name!r}: there are tasks of {', '.join(KINDS)}")
    kind = KINDS[name]
    of = puzzle(kind.puzzle)
    numbers = random.Random(f"{name} {seed}")
    found: list[Task] = []
    seen: set[str] = set()
    for _ in range(tries * n):
        if len(found) == n:
            break
        number = numbers.getrandbits(62)
        instance = of.generate(generator or kind.generator, seed=number)
        if instance.text in seen:
            continue
        seen.add(instance.text)
        record = instance.solve(kind.solver)
        value = record.value
        if record.status != "optimal" or (optimal is not None and value not in optimal):
            continue
        if value == 0:
            continue
        found.append(_task(kind, instance, record, number))
    if len(found) < n:
        raise ValueError(f"{len(found)} of {n} tasks found among {tries * n} instances")
    return found


STATES = 2000
"""States that are enumerated for the dead ends of a task at most."""


def _task(kind: Kind, instance: Instance, record: Record, seed: int) -> Task:
    optimal = int(record["value"])
    unit = "moves" if optimal != 1 else "move"
    prompt = (
        f"{kind.rules}\n\n{instance.text}\n\n"
        f"The shortest solution has {optimal} {unit}. Give a shortest solution."
    )
    found = instance.structure(record, kind.solver, states=STATES)
    beside = found["beside"]
    is_known = beside is not None and beside["unknown"] == 0
    dead_ends = beside["dead"] / max(1, beside["actions"]) if is_known else None
    branching = float(found["branching"]["mean"])
    return Task(instance, prompt, optimal, record["solution"], branching, dead_ends, seed)
