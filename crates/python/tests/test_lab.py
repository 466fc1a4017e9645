"""Frames of the lab's database."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from unriddle import lab


@pytest.fixture
def results(tmp_path: Path) -> Path:
    """A database with a table of runs and the view that names their fields."""
    path = tmp_path / "results of #1.sqlite"
    with closing(sqlite3.connect(path)) as database:
        database.executescript(
            "create table solver (id integer primary key, spec text not null) strict;"
            "create table run (id integer primary key, solver integer, value integer, cpu_s real)"
            " strict;"
            "create view runs as select r.id as run, s.spec as solver, r.value, r.cpu_s"
            " from run as r join solver as s on s.id = r.solver;"
            "insert into solver values (1, 'astar(manhattan)');"
        )
        # The first 200 runs have no value: the column is one of integers all the same.
        rows = [(n, 1, None if n < 200 else n, n / 8) for n in range(300)]
        database.executemany("insert into run values (?, ?, ?, ?)", rows)
        database.commit()
    return path


def test_runs_are_a_frame_of_pandas(results: Path) -> None:
    pytest.importorskip("pandas")
    frame = lab.frame(results)
    assert list(frame.columns) == ["run", "solver", "value", "cpu_s"] and len(frame) == 300
    assert set(frame.solver) == {"astar(manhattan)"}
    assert frame.value.isna().sum() == 200 and frame.cpu_s[8] == 1.0
    assert list(lab.frame(results, "solver").columns) == ["id", "spec"]


def test_runs_are_a_frame_of_polars(results: Path) -> None:
    polars = pytest.importorskip("polars")
    frame = lab.polars_frame(results)
    assert isinstance(frame, polars.DataFrame) and frame.shape == (300, 4)
    assert frame.schema == {
        "run": polars.Int64,
        "solver": polars.String,
        "value": polars.Int64,
        "cpu_s": polars.Float64,
    }
    assert frame["value"].null_count() == 200 and frame["value"].max() == 299
    assert lab.polars_frame(str(results), "solver").rows() == [(1, "astar(manhattan)")]
    empty = lab.polars_frame(results, "run").filter(polars.col("id") < 0)
    assert empty.height == 0


@pytest.mark.parametrize("read", [lab.frame, lab.polars_frame])
def test_wrong_files_and_tables_are_named(read: object, results: Path) -> None:
    pytest.importorskip("pandas" if read is lab.frame else "polars")
    assert callable(read)
    with pytest.raises(FileNotFoundError, match="missing.sqlite"):
        read(results.with_name("missing.sqlite"))
    with pytest.raises(ValueError, match="no table 'games': it has run, runs, solver"):
        read(results, "games")
