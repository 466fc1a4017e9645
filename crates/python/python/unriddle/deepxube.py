"""Puzzles as domains of DeepXube, with exact solvers as teachers.

DeepXube trains networks for domains that are classes of Python. `PuzzleDomain` is such a class
over the arrays of a puzzle: random instances, children and tests for goals are computed in compiled
code. Labels for supervised training are true costs, which one of our solvers proves.

>>> from unriddle.deepxube import PuzzleDomain                          # doctest: +SKIP
>>> domain = PuzzleDomain("tiles", "1 2 3  4 5 6  7 8 0")               # doctest: +SKIP
>>> states, goals, costs = domain.samp_nodes_and_labels([5, 10, 15])    # doctest: +SKIP
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np
from deepxube.base.domain import (
    Action,
    ActsEnum,
    Goal,
    GoalStartRevWalkable,
    NodesSupervisable,
    State,
    StringToAct,
)
from deepxube.base.nnet_input import HasFlatSGIn
from numpy.typing import NDArray

from .puzzle import puzzle


class PuzzleState(State):
    """A state: its row of bytes."""

    __slots__ = ("row",)

    def __init__(self, row: bytes) -> None:
        self.row = row

    def __hash__(self) -> int:
        return hash(self.row)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PuzzleState) and self.row == other.row


class PuzzleAction(Action):
    """An action: its number."""

    __slots__ = ("number",)

    def __init__(self, number: int) -> None:
        self.number = number

    def __hash__(self) -> int:
        return self.number

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PuzzleAction) and self.number == other.number

    def __repr__(self) -> str:
        return str(self.number)


class PuzzleGoal(Goal):
    """All goals of the instance's space."""


class PuzzleDomain(
    ActsEnum[PuzzleState, PuzzleAction, PuzzleGoal],
    GoalStartRevWalkable[PuzzleState, PuzzleAction, PuzzleGoal],
    NodesSupervisable[PuzzleState, PuzzleAction, PuzzleGoal],
    StringToAct[PuzzleState, PuzzleAction, PuzzleGoal],
    HasFlatSGIn[PuzzleState, PuzzleAction, PuzzleGoal],
):
    """The space of an instance as a domain. `teacher` is the solver of true costs."""

    def __init__(self, name: str, instance: str, teacher: str = "optimal", seed: int = 0) -> None:
        super().__init__()
        self.puzzle = puzzle(name)
        self.space = self.puzzle.instance(instance).space
        self.teacher = teacher
        self.random = random.Random(seed)
        self.actions = [PuzzleAction(number) for number in range(self.space.actions)]

    def _rows(self, states: list[PuzzleState]) -> NDArray[np.uint8]:
        joined = b"".join(state.row for state in states)
        return np.frombuffer(joined, np.uint8).reshape(len(states), self.space.width)

    def _states(self, rows: NDArray[np.uint8]) -> list[PuzzleState]:
        return [PuzzleState(row.tobytes()) for row in rows]

    def _walks(self, steps: list[int]) -> list[PuzzleState]:
        seed = self.random.getrandbits(62)
        return self._states(self.space.random_walk(len(steps), np.array(steps), seed))

    def sample_goalstate_goal_pairs(
        self, num: int
    ) -> tuple[list[PuzzleState], list[PuzzleGoal]]:
        """Goal states and their goals."""
        return self._walks([0] * num), [PuzzleGoal() for _ in range(num)]

    def random_walk_rev_no_path_cost(
        self, states: list[PuzzleState], num_steps_l: list[int]
    ) -> list[PuzzleState]:
        """States after random walks back from a goal."""
        return self._walks(num_steps_l)

    def samp_nodes_and_labels(
        self, steps_gen: list[int]
    ) -> tuple[list[PuzzleState], list[PuzzleGoal], list[float]]:
        """States after random walks with their true costs, which the teacher proves."""
        states = self._walks(steps_gen)
        costs = []
        for text in self.space.text(self._rows(states)):
            record = self.puzzle.instance(text).solve(self.teacher)
            if record.status != "optimal":
                raise ValueError(f"{self.teacher!r} did not prove the cost of {text!r}")
            costs.append(float(record["value"]))
        return states, [PuzzleGoal() for _ in states], costs

    def get_state_actions(self, states: list[PuzzleState]) -> list[list[PuzzleAction]]:
        """The legal actions of each state."""
        legal = self.space.legal(self._rows(states))
        return [[self.actions[number] for number in np.flatnonzero(row)] for row in legal]

    def next_state(
        self, states: list[PuzzleState], actions: list[PuzzleAction]
    ) -> tuple[list[PuzzleState], list[float]]:
        """The states after one action each, and the costs of the actions."""
        children, legal, costs = self.space.expand(self._rows(states))
        numbers = np.array([action.number for action in actions])
        at = np.arange(len(states))
        if not legal[at, numbers].all():
            raise ValueError("an action is not legal in its state")
        return self._states(children[at, numbers]), costs[at, numbers].astype(float).tolist()

    def is_solved(self, states: list[PuzzleState], goals: list[PuzzleGoal]) -> list[bool]:
        """Whether each state is a goal."""
        solved: list[bool] = self.space.is_goal(self._rows(states)).tolist()
        return solved

    def string_to_action(self, act_str: str) -> PuzzleAction | None:
        """The action of a number."""
        is_number = act_str.isdigit() and int(act_str) < len(self.actions)
        return self.actions[int(act_str)] if is_number else None

    def string_to_action_help(self) -> str:
        """How actions are written."""
        return f"the number of an action, below {len(self.actions)}"

    def get_input_info_flat_sg(self) -> tuple[list[int], list[int]]:
        """Lengths and depths of the arrays of a network's input."""
        return [self.space.width], [self.space.values]

    def to_np_flat_sg(self, states: list[Any], goals: list[Any]) -> list[NDArray[Any]]:
        """The input of networks: the rows of the states."""
        return [self._rows(states)]
