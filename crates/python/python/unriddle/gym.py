"""Puzzles as environments of gymnasium.

An episode begins at an instance and ends at a goal. The reward of an action is minus its cost, so
that the return of a solved episode is minus the length of the solution. `info["action_mask"]` says
which actions are legal; an illegal action changes nothing and costs as much as the dearest legal
action (1 where all cost 1).

>>> from unriddle.gym import PuzzleEnv
>>> env = PuzzleEnv("tiles", "walk(3, min=4, max=4)")
>>> observation, info = env.reset(seed=1)
>>> observation.shape, int(info["action_mask"].sum()) in (2, 3, 4)
((9,), True)
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from .puzzle import Instance, puzzle
from .space import Space, States


def _spaces(states: Space) -> tuple[spaces.Box, spaces.Discrete]:
    observations = spaces.Box(0, states.values - 1, (states.width,), np.uint8)
    return observations, spaces.Discrete(states.actions)


class PuzzleEnv(gymnasium.Env[Any, Any]):
    """One board of a puzzle.

    `instances` is a generator's spec, one instance or a list of instances; each episode begins at
    a random one. All instances must have rows of the same length, bytes of the same number of
    values and the same number of actions, or else `ValueError` says which differs. An episode is
    truncated after `max_steps` actions.
    """

    metadata = {"render_modes": ["svg", "ansi"], "render_fps": 4}

    def __init__(
        self,
        name: str,
        instances: str | Instance | list[Instance] | None = None,
        *,
        max_steps: int = 1000,
        render_mode: str | None = None,
    ) -> None:
        self.puzzle = puzzle(name)
        self.render_mode = render_mode
        self.max_steps = max_steps
        self._generator = instances if isinstance(instances, str) or instances is None else None
        self._instances = [instances] if isinstance(instances, Instance) else instances
        if self._list == []:
            raise ValueError("the list of instances is empty: expected at least one")
        first = self.puzzle.generate(self._generator) if self._list is None else self._list[0]
        self._first = first
        self.observation_space, self.action_space = _spaces(first.space)
        for number, instance in enumerate(self._list or []):
            self._fit(instance, f"instance {number}")
        self._begin(first)

    @property
    def _list(self) -> list[Instance] | None:
        return self._instances if isinstance(self._instances, list) else None

    def _fit(self, instance: Instance, name: str) -> None:
        """Refuses an instance whose arrays have other shapes than those of the first one."""
        one, other = self._first.space, instance.space
        for what, expected, found in (
            ("bytes in a row", one.width, other.width),
            ("values of a byte", one.values, other.values),
            ("actions", one.actions, other.actions),
        ):
            if found != expected:
                raise ValueError(
                    f"{name} has {found} {what}: expected {expected}, as the first instance has; "
                    "make an environment for each size of board"
                )

    def _begin(self, instance: Instance) -> None:
        self.instance = instance
        self.state = instance.space.start()
        self.steps = 0
        self.line: list[int] = []
        self._mask = instance.space.legal(self.state)

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self._mask.astype(np.int8)}

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.uint8], dict[str, Any]]:
        """Begins an episode at a random instance."""
        super().reset(seed=seed)
        if self._list is None:
            number = int(self.np_random.integers(1 << 62))
            instance = self.puzzle.generate(self._generator, seed=number)
            self._fit(instance, f"the generated instance of seed {number}")
        else:
            instance = self._list[int(self.np_random.integers(len(self._list)))]
        self._begin(instance)
        return self.state.copy(), self._info()

    def step(
        self, action: np.int64
    ) -> tuple[NDArray[np.uint8], float, bool, bool, dict[str, Any]]:
        """Plays an action."""
        states = self.instance.space
        self.steps += 1
        children, legal, costs = states.expand(self.state)
        if legal[action]:
            self.state = children[action].copy()
            self.line.append(int(action))
            self._mask = states.legal(self.state)
            reward = -float(costs[action])
        else:
            reward = -float(costs.max(initial=1))
        solved = bool(states.is_goal(self.state))
        over = self.steps >= self.max_steps
        return self.state.copy(), reward, solved, over, self._info()

    def solution(self) -> str:
        """The actions of the episode so far, in the puzzle's notation."""
        return self.instance.space.line(self.instance.space.start(), self.line)

    def render(self) -> Any:
        """The board: SVG, or its text."""
        text = self.instance.space.text(self.state)
        return text if self.render_mode == "ansi" else self.puzzle.instance(text).draw()


class PuzzleVectorEnv(VectorEnv[Any, Any, Any]):
    """Many boards of one instance's space, which step together in compiled code.

    Each board begins after a random walk of `steps` steps back from a goal (`steps` may be a pair
    of the least and the most). A board that is solved or truncated begins anew at its next step.
    """

    metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(
        self,
        instance: Instance,
        num_envs: int,
        *,
        steps: int | tuple[int, int] = (1, 100),
        max_steps: int = 1000,
    ) -> None:
        self.states = instance.space
        self.num_envs = num_envs
        self.max_steps = max_steps
        self._range = (steps, steps) if isinstance(steps, int) else steps
        one, action = _spaces(self.states)
        self.single_observation_space, self.single_action_space = one, action
        self.observation_space = batch_space(one, num_envs)
        self.action_space = batch_space(action, num_envs)
        self.rows: States = np.zeros((num_envs, self.states.width), np.uint8)
        self._mask = np.zeros((num_envs, self.states.actions), np.bool_)
        self._steps = np.zeros(num_envs, np.int64)
        self._over = np.zeros(num_envs, np.bool_)

    def _begin(self, which: NDArray[np.bool_]) -> None:
        n = int(which.sum())
        if n == 0:
            return
        least, most = self._range
        steps = self.np_random.integers(least, most + 1, n)
        seed = int(self.np_random.integers(1 << 62))
        self.rows[which] = self.states.random_walk(n, steps, seed)
        self._mask[which] = self.states.legal(self.rows[which])
        self._steps[which] = 0

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self._mask.astype(np.int8)}

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.uint8], dict[str, Any]]:
        """Begins all boards."""
        super().reset(seed=seed, options=options)
        self._begin(np.ones(self.num_envs, np.bool_))
        self._over[:] = False
        return self.rows.copy(), self._info()

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[
        NDArray[np.uint8],
        NDArray[np.float64],
        NDArray[np.bool_],
        NDArray[np.bool_],
        dict[str, Any],
    ]:
        """Plays an action on each board; boards whose episode is over begin anew instead."""
        actions = np.asarray(actions)
        begins = self._over.copy()
        plays = ~begins & self._mask[np.arange(self.num_envs), actions]
        rewards = np.where(begins, 0.0, -1.0)
        if plays.any():
            chosen = actions[plays]
            children, _, costs = self.states.expand(self.rows[plays])
            at = np.arange(len(chosen))
            self.rows[plays] = children[at, chosen]
            rewards[plays] = -costs[at, chosen].astype(np.float64)
            self._mask[plays] = self.states.legal(self.rows[plays])
        self._steps += ~begins
        self._begin(begins)
        solved = self.states.is_goal(self.rows) & ~begins
        truncated = (self._steps >= self.max_steps) & ~begins & ~solved
        self._over = solved | truncated
        return self.rows.copy(), rewards, solved, truncated, self._info()
