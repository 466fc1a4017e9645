"""The examples of the guide and of the modules."""

import doctest
import importlib
from pathlib import Path

import pytest

import unriddle


PEERS = {"gym": "gymnasium", "cayleypy": "cayleypy"}
"""Packages that the examples of a module need."""


@pytest.mark.parametrize(
    "name", ["", "puzzle", "record", "space", "groups", "tasks", "gym", "cayleypy"]
)
def test_examples_of_modules(name: str) -> None:
    if name in PEERS:
        pytest.importorskip(PEERS[name], exc_type=ImportError)
    module = importlib.import_module(f"unriddle.{name}" if name else "unriddle")
    failed, tried = doctest.testmod(module)
    assert failed == 0 and (tried > 0 or name == "puzzle")


SECTIONS = {"CayleyPy": "cayleypy"}
"""Sections of the guide whose examples need a package."""


@pytest.mark.parametrize("section", ["", *SECTIONS])
def test_examples_of_the_guide(section: str) -> None:
    """The guide without the sections that need a package, and with one of them."""
    if section:
        pytest.importorskip(SECTIONS[section], exc_type=ImportError)
    guide = Path(__file__).parents[3] / "docs" / "python.md"
    parts = guide.read_text(encoding="utf-8").split("\n## ")
    titles = [part.split("\n")[0] for part in parts]
    assert set(SECTIONS) < set(titles)
    kept = (
        part
        for part, title in zip(parts, titles, strict=True)
        if title == section or title not in SECTIONS
    )
    text = "\n## ".join(kept)
    examples = doctest.DocTestParser().get_doctest(text, {}, guide.name, str(guide), 0)
    failed, tried = doctest.DocTestRunner().run(examples)
    assert failed == 0 and tried > (30 if section else 20)
    assert unriddle.__version__
