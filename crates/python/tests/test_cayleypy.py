"""Graphs and predictors of CayleyPy."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import unriddle

cayleypy = pytest.importorskip("cayleypy", exc_type=ImportError)

# An instance, a solver with a proof, and the layers around the goal. Turns are quarter turns; in
# Lights Out on 3x3 each set of presses makes another state.
LAYERS = {
    "cube(size=2)": ("R U F2 R'", "optimal", [1, 6, 27, 120, 534, 2256]),
    "cube": ("R U F", "astar(blind)", [1, 12, 114, 1068]),
    "lightsout": ("110/010/111", "optimal", [1, 9, 36, 84, 126, 126, 84, 36, 9, 1]),
}


def graph_of(spec: str) -> Any:
    from unriddle.cayleypy import PuzzleGraph

    return PuzzleGraph(unriddle.puzzle(spec).instance(LAYERS[spec][0]), device="cpu")


@pytest.mark.parametrize("spec", LAYERS)
def test_layers_are_those_of_the_puzzle(spec: str) -> None:
    graph = graph_of(spec)
    _, solver, expected = LAYERS[spec]
    found = graph.graph.bfs(max_diameter=len(expected) - 1, max_layer_size_to_store=10_000)
    assert found.layer_sizes == expected
    # Rows of the last layer are solved in as many actions.
    rows = graph.rows(found.last_layer()[:10])
    costs = graph.instance.estimator(solver)(rows)
    assert (costs == len(expected) - 1).all()


@pytest.mark.parametrize("spec", LAYERS)
def test_states_and_rows_are_inverse_and_generators_are_actions(spec: str) -> None:
    graph = graph_of(spec)
    rows = graph.instance.space.random_walk(200, 30, seed=1)
    assert (graph.rows(graph.states(rows)) == rows).all()
    children, _, _ = graph.instance.space.expand(rows)
    for action in range(graph.instance.space.actions):
        after = graph.graph.apply_path(graph.states(rows), [action])
        assert (graph.rows(after) == children[:, action]).all()


@pytest.mark.parametrize("spec", LAYERS)
def test_true_costs_guide_a_narrow_beam_of_cayleypy(spec: str) -> None:
    graph = graph_of(spec)
    instance = graph.instance
    solver = LAYERS[spec][1]
    best = instance.solve(solver).value
    result = graph.graph.beam_search(
        start_state=graph.start(),
        predictor=graph.predictor(instance.estimator(solver)),
        beam_width=1,
        max_steps=best,
        return_path=True,
    )
    assert result.path_found and instance.check(graph.solution(result.path)) == (best, best)
    without = graph.graph.beam_search(start_state=graph.start(), beam_width=1000, max_steps=30)
    with pytest.raises(unriddle.Refused, match="return_path=True"):
        graph.solution(without.path)


def test_predictors_of_cayleypy_guide_our_searches() -> None:
    graph = graph_of("cube(size=2)")
    predictor = cayleypy.Predictor(graph.graph, "hamming")
    central = graph.group.central

    def hamming(rows: NDArray[np.uint8]) -> NDArray[np.int64]:
        found: NDArray[np.int64] = (graph.group.states(rows) != central).sum(-1)
        return found

    for solver in ["bwas(callable, lambda=0.6, batch=100)", "beam(callable, width=200)"]:
        theirs = graph.instance.solve(solver, heuristic=graph.heuristic(predictor))
        ours = graph.instance.solve(solver, heuristic=hamming)
        assert theirs.is_solved
        assert (theirs.solution, theirs.expanded) == (ours.solution, ours.expanded)


def test_networks_guide_both() -> None:
    import torch

    graph = graph_of("cube(size=2)")
    torch.manual_seed(1)
    class Model(torch.nn.Module):
        def __init__(self, outputs: int) -> None:
            super().__init__()
            self.last = torch.nn.Linear(graph.group.size, outputs)
            self.n_outputs = outputs

        def forward(self, states: Any) -> Any:
            found = self.last(states.float())
            return found if self.n_outputs > 1 else found.squeeze(1)

    options = {"time": 20, "expansions": 300}
    heuristic = graph.heuristic(cayleypy.Predictor(graph.graph, Model(1)))
    assert graph.instance.solve("beam(callable, width=50)", heuristic=heuristic, **options).expanded
    actions = graph.instance.space.actions
    policy = graph.policy(cayleypy.Predictor(graph.graph, Model(actions)))
    solver = "beam(callable, choose=actions, width=50)"
    assert graph.instance.solve(solver, policy=policy, **options).expanded
    # A network of rows, with an output for each action or with one.
    space = graph.instance.space
    rows = space.random_walk(7, 9, seed=2)
    of_actions = graph.predictor(
        lambda rows: rows[:, :actions].astype(np.float32), actions=True
    ).score_children(graph.states(rows))
    assert (of_actions.numpy() == rows[:, :actions]).all()
    layer = torch.nn.EmbeddingBag(space.width * space.values, 1)
    single = graph.predictor(lambda rows: layer(torch.from_numpy(space.features(rows))).squeeze(1))
    children, _, _ = space.expand(rows)
    scores = single.score_children(graph.states(rows))
    assert scores.shape == (7, actions)
    expected = layer(torch.from_numpy(space.features(children.reshape(-1, space.width))))
    assert torch.allclose(scores.reshape(-1), expected.squeeze(1))


def test_predictors_of_other_graphs_read_states_of_their_own() -> None:
    import torch

    tiles = unriddle.puzzle("tiles").instance("1 2 3  4 5 6  0 7 8")
    order = cayleypy.CayleyGraph(cayleypy.prepare_graph("lrx", n=9), device="cpu")
    goal = torch.tensor([1, 2, 3, 4, 5, 6, 7, 8, 0])
    predictor = cayleypy.Predictor(order, lambda states: (states != goal).sum(1))
    graph = graph_of("cube(size=2)")
    heuristic = graph.heuristic(predictor, states=lambda rows: torch.from_numpy(rows).long())
    assert tiles.solve("bwas(callable)", heuristic=heuristic).value == 2


def definitions() -> list[tuple[str, str, Any]]:
    from cayleypy.puzzles import cube

    puzzles = cayleypy.Puzzles
    return [
        ("cube", "R U F", puzzles.rubik_cube(3, "QTM")),
        ("cube(metric=htm)", "R2 U F", puzzles.rubik_cube(3, "HTM")),
        ("cube(size=2)", "R U F", cube.fixed_corner_cub_quarter()),
    ]


@pytest.mark.parametrize("number", range(3))
def test_cubes_of_cayleypy_are_ours(number: int) -> None:
    import torch

    from unriddle.cayleypy import PuzzleGraph

    spec, scramble, definition = definitions()[number]
    instance = unriddle.puzzle(spec).instance(scramble)
    graph = PuzzleGraph(instance, definition, device="cpu")
    rows = instance.space.random_walk(1000, np.arange(1000) % 50, seed=3)
    states = graph.states(rows)
    assert states.shape == (1000, len(definition.central_state))
    assert (graph.rows(states) == rows).all()
    # Paths are actions of ours, and estimates of actions are those of generators.
    path = [1, 5, 2, 0, 3]
    after = graph.graph.apply_path(graph.start(), path)[0]
    played = instance.position(graph.solution(path))
    assert (graph.rows(after) == played.space.start()).all()
    costs = instance.estimator("astar(blind)")
    predictor = graph.predictor(costs)
    result = graph.graph.beam_search(
        start_state=graph.start(), predictor=predictor, beam_width=1, return_path=True
    )
    assert instance.check(graph.solution(result.path)) == (3, 3)
    near = rows[:3]
    children, _, _ = instance.space.expand(near)
    expected = costs(children.reshape(-1, instance.space.width)).reshape(3, -1)
    assert (graph.policy(predictor)(near) == expected).all()
    own = graph.predictor(graph.policy(predictor), actions=True)
    ours, theirs = (one.score_children(graph.states(near)) for one in (own, predictor))
    assert torch.equal(ours, theirs)


def test_predictors_of_stickers_guide_our_searches() -> None:
    from unriddle.cayleypy import PuzzleGraph

    instance = unriddle.puzzle("cube").instance("R U F2 L D")
    graph = PuzzleGraph(instance, cayleypy.Puzzles.rubik_cube(3, "QTM"), device="cpu")
    heuristic = graph.heuristic(cayleypy.Predictor(graph.graph, "hamming"))
    assert instance.solve("beam(callable, width=500)", heuristic=heuristic).value >= 6


def test_definitions_of_other_puzzles_are_refused() -> None:
    from unriddle.cayleypy import PuzzleGraph

    cube = unriddle.puzzle("cube").instance("R")
    with pytest.raises(unriddle.Refused, match="there are 18 generators: expected 12"):
        PuzzleGraph(cube, cayleypy.Puzzles.rubik_cube(3, "HTM"))
    with pytest.raises(unriddle.Refused, match="the generators are not those of `cube`"):
        PuzzleGraph(cube, cayleypy.Puzzles.rubik_cube(2, "QTM"))
    matrices = cayleypy.MatrixGroups.heisenberg()
    with pytest.raises(unriddle.Refused, match="there are 0 generators"):
        PuzzleGraph(cube, matrices)


def test_puzzles_without_permutations_are_refused() -> None:
    from unriddle.cayleypy import PuzzleGraph

    with pytest.raises(unriddle.Refused, match="are no permutations"):
        PuzzleGraph(unriddle.puzzle("tiles").instance("1 2 3  4 5 6  0 7 8"))
