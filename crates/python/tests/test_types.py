"""The stubs and the annotations."""

import subprocess
import sys
from pathlib import Path

import pytest

import unriddle

pytest.importorskip("mypy")


def run(*arguments: str) -> None:
    root = Path(unriddle.__file__).parent.parent
    done = subprocess.run(
        [sys.executable, "-m", *arguments], cwd=root, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_stubs_are_those_of_the_module() -> None:
    run("mypy.stubtest", "unriddle._native")


def test_annotations_are_consistent() -> None:
    settings = Path(__file__).parents[1] / "pyproject.toml"
    run("mypy", "--config-file", str(settings), "--cache-dir", "/dev/null", "-p", "unriddle")
