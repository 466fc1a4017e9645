"""Puzzles, instances, solves."""

import json
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

import unriddle

BOARD = "1 2 3  4 5 6  0 7 8"
HARD = "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3"


def test_a_record_is_checked() -> None:
    record = unriddle.puzzle("tiles").instance(BOARD).solve("astar(linear-conflict)")
    assert (record.status, record.value, record.solution) == ("optimal", 2, "LL")
    assert record["checked"] is True and record.checked_by == "check"
    assert record.is_solved and record.is_proved and record.nonsense is None
    assert json.loads(json.dumps(dict(record)))["value"] == 2
    assert "LL" in repr(record)


def test_every_puzzle_is_named_generated_and_solved() -> None:
    puzzles = unriddle.puzzles()
    assert len(puzzles) >= 10
    for one in puzzles:
        instance = unriddle.puzzle(one["name"]).generate(seed=1)
        assert unriddle.puzzle(one["name"]).instance(instance.text).text == instance.text
        ElementTree.fromstring(instance.draw())
        presets = [preset["name"] for preset in one["presets"]]
        preset = "fast" if "fast" in presets else presets[0]
        record = instance.solve(preset, expansions=1000, time=5)
        assert record.status in ("optimal", "solved", "stopped", "exhausted", "unsolvable"), record
        if record.is_solved:
            assert instance.check(record.solution)[0] == record.value


def test_events_come_in_order_and_end_with_the_record() -> None:
    instance = unriddle.puzzle("tiles").instance("8 6 7 2 5 4 3 0 1")
    *events, record = instance.solve_iter("idastar(manhattan)")
    assert isinstance(record, unriddle.Record) and record.value == 31
    bounds = [event.bound for event in events if isinstance(event, unriddle.Bound)]
    assert bounds == sorted(bounds) and bounds[-1] <= 31
    improved = [event for event in events if isinstance(event, unriddle.Improved)]
    assert improved[-1].value == 31 and instance.check(improved[-1].solution) == (31, 31)


def test_a_cancelled_solve_keeps_its_best() -> None:
    solve = unriddle.puzzle("samegame").generate(seed=1).begin("default")
    for event in solve:
        if isinstance(event, unriddle.Improved):
            solve.cancel()
            break
    record = solve.finish()
    assert record.status == "stopped" and record.is_solved


def test_limits_end_a_solve() -> None:
    instance = unriddle.puzzle("tiles(goal=blank-first)").instance(HARD)
    record = instance.solve("astar(manhattan)", expansions=1000)
    assert record.status == "stopped" and record.expanded == 1000
    record = instance.solve("idastar(manhattan)", time=0.1)
    assert record.status == "stopped" and record.lower_bound > 40


def test_wrong_texts_are_refused_with_their_place() -> None:
    with pytest.raises(unriddle.Refused, match="unknown puzzle"):
        unriddle.puzzle("tile")
    with pytest.raises(unriddle.Refused) as found:
        unriddle.puzzle("tiles").instance("1 2 3  4 5 q  0 7 8")
    assert (found.value.line, found.value.column) == (1, 12)
    with pytest.raises(unriddle.Refused, match="no preset|unknown search"):
        unriddle.puzzle("tiles").instance(BOARD).solve("asta(manhattan)")
    with pytest.raises(unriddle.Refused):
        unriddle.check("tiles", BOARD, "LU")
    with pytest.raises(unriddle.Refused, match="did not give"):
        unriddle.puzzle("tiles").instance(BOARD).solve("astar(callable)")
    with pytest.raises(unriddle.Refused, match="expected one instance"):
        unriddle.puzzle("tiles").instance(f"{BOARD}\n{BOARD}")


def test_reviews_find_the_losing_push() -> None:
    level = "#######\n#  @  #\n# $   #\n#   . #\n#######"
    review = unriddle.puzzle("sokoban").instance(level).review("dL")
    assert review["losing"] is not None
    assert unriddle.puzzle("sokoban").instance(level).review("lD")["losing"] is None


def test_validations_and_improvements() -> None:
    puzzle = unriddle.puzzle("sokoban")
    level = "#######\n#  @  #\n# $ . #\n#     #\n#######"
    (report,) = puzzle.validate(level)
    assert report["verdict"] == "solvable" and report["optimal"] and report["value"] == 2
    board = unriddle.puzzle("tiles").instance(BOARD)
    record = board.improve("LRLL")
    assert record.value == 2


def test_keyboard_interrupts_end_a_solve() -> None:
    program = (
        "import signal, unriddle\n"
        # A job in the background of a shell begins with the signal ignored.
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        f"board = unriddle.puzzle('tiles(goal=blank-first)').instance('{HARD}')\n"
        "print('begun', flush=True)\n"
        "try:\n"
        "    board.solve('astar(blind)', time=60)\n"
        "except KeyboardInterrupt as interrupt:\n"
        "    print(interrupt.record.status)\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, text=True
    ) as running:
        assert running.stdout is not None
        assert running.stdout.readline() == "begun\n"
        time.sleep(0.5)
        running.send_signal(signal.SIGINT)
        assert running.stdout.read() == "stopped\n"


def test_structure_counts_dead_ends() -> None:
    instance = unriddle.puzzle("sokoban").instance("#######\n#  @  #\n# $ . #\n#     #\n#######")
    record = instance.solve("optimal")
    found = instance.structure(record)
    assert found["beside"]["dead"] > 0 and found["branching"]["mean"] > 1
    assert np.isfinite(found["branching"]["mean"])


def test_estimators_are_costs_of_states() -> None:
    instance = unriddle.puzzle("tiles").instance(BOARD)
    rows = instance.space.random_walk(30, np.arange(30), seed=2)
    true = instance.estimator("optimal")
    costs = true(rows)
    assert costs.dtype == np.float32 and costs[:3].tolist() == [0.0, 1.0, 2.0]
    assert (costs <= np.arange(30)).all() and (true(rows[::-1]) == costs[::-1]).all()
    # Without expansions, the estimate is that of the heuristic.
    manhattan = instance.estimator("astar(manhattan)", expansions=1)(rows)
    row, column = np.divmod(np.arange(9), 3)
    home = (rows.astype(int) - 1) % 9
    far = abs(row[home] - row) + abs(column[home] - column)
    expected = (far * (rows != 0)).sum(axis=1)
    assert (manhattan >= expected).all() and (manhattan <= costs).all()
    assert (manhattan == expected).mean() > 0.5
    assert instance.estimator()(rows[:0]).shape == (0,)
    # One swap cannot be undone.
    unsolvable = np.array([2, 1, 3, 4, 5, 6, 7, 8, 0], np.uint8)
    assert true(unsolvable[None]).tolist() == [np.inf]
