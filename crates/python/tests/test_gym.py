"""Environments of gymnasium."""

import numpy as np
import pytest

import unriddle

gymnasium = pytest.importorskip("gymnasium")


def test_an_environment_passes_the_checker() -> None:
    from gymnasium.utils.env_checker import check_env

    from unriddle.gym import PuzzleEnv

    for name, generator in [("tiles", "walk(3, min=4, max=9)"), ("sokoban", None)]:
        check_env(PuzzleEnv(name, generator, render_mode="ansi"), skip_render_check=True)


def test_a_solution_is_an_episode() -> None:
    from unriddle.gym import PuzzleEnv

    instance = unriddle.puzzle("tiles").instance("1 2 3  4 5 6  0 7 8")
    env = PuzzleEnv("tiles", instance)
    observation, info = env.reset(seed=1)
    assert (observation == instance.space.start()).all()
    up, left = 0, 1
    assert info["action_mask"].tolist() == [0, 1, 1, 0]
    _, reward, over, _, _ = env.step(np.int64(up))
    assert (reward, over) == (-1.0, False)
    _, reward, over, _, _ = env.step(np.int64(left))
    _, reward, over, truncated, _ = env.step(np.int64(left))
    assert (reward, over, truncated) == (-1.0, True, False)
    assert env.solution() == "LL" and instance.check(env.solution()) == (2, 2)
    assert env.render().startswith("<svg")


def test_many_boards_step_together() -> None:
    from unriddle.gym import PuzzleVectorEnv

    instance = unriddle.puzzle("tiles").instance("1 2 3  4 5 6  0 7 8")
    env = PuzzleVectorEnv(instance, 64, steps=(1, 5), max_steps=50)
    observations, info = env.reset(seed=2)
    assert env.observation_space.contains(observations)
    rng = np.random.default_rng(3)
    episodes = 0
    for _ in range(200):
        mask = info["action_mask"]
        actions = np.array([rng.choice(np.flatnonzero(row)) for row in mask])
        children, _, _ = instance.space.expand(observations)
        begins = env._over.copy()
        observations, rewards, over, truncated, info = env.step(actions)
        played = children[np.arange(64), actions]
        assert (observations[~begins] == played[~begins]).all()
        assert (rewards[begins] == 0).all() and (rewards[~begins] == -1).all()
        assert (over == (instance.space.is_goal(observations) & ~begins)).all()
        episodes += int(over.sum() + truncated.sum())
    assert episodes > 64


def test_instances_of_several_sizes_are_refused() -> None:
    from unriddle.gym import PuzzleEnv

    tiles = unriddle.puzzle("tiles")
    small = tiles.instance("1 2 3  4 5 6  0 7 8")
    large = tiles.generate("uniform(4)", seed=1)
    with pytest.raises(ValueError, match="instance 2 has 16 bytes in a row: expected 9"):
        PuzzleEnv("tiles", [small, small, large])
    with pytest.raises(ValueError, match="the list of instances is empty"):
        PuzzleEnv("tiles", [])
    env = PuzzleEnv("tiles", [small, tiles.generate("uniform(3)", seed=1)])
    for seed in range(5):
        assert env.observation_space.contains(env.reset(seed=seed)[0])
