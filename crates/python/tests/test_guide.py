"""The examples of the guide and of the modules."""

import doctest
import importlib
from pathlib import Path

import pytest

import unriddle


@pytest.mark.parametrize("name", ["", "puzzle", "record", "space", "tasks", "gym"])
def test_examples_of_modules(name: str) -> None:
    if name == "gym":
        pytest.importorskip("gymnasium")
    module = importlib.import_module(f"unriddle.{name}" if name else "unriddle")
    failed, tried = doctest.testmod(module)
    assert failed == 0 and (tried > 0 or name == "puzzle")


def test_examples_of_the_guide() -> None:
    guide = Path(__file__).parents[3] / "docs" / "python.md"
    failed, tried = doctest.testfile(str(guide), module_relative=False)
    assert failed == 0 and tried > 20
    assert unriddle.__version__
