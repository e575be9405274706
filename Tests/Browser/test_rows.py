"""Each promise of `rows.md` has its tests, and they exist."""

from __future__ import annotations

import re

from support import places

here = places.root / "Tests/Browser"
rules = (places.root / "docs/rules.txt").read_text()
rows = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in (here / "rows.md").read_text().splitlines()
    if line.startswith("| ") and not line.startswith(("| row ", "| moment "))
]


def exists(test: str) -> bool:
    if test.startswith("lint/"):
        return f"\n{test.removeprefix('lint/')} breaks\n" in rules
    if "::" in test:
        file, name = test.split("::")
        return f"\ndef {name}(" in (here / file).read_text()
    suite, name = test.split(".")
    files = (places.root / "Tests").rglob(f"{suite}*.swift")
    return any(f"func {name}(" in file.read_text() for file in files)


def test_each_promise_has_tests_that_exist():
    named = {row[0]: re.findall(r"`([^`]+)`", row[-1]) for row in rows}
    assert len(named) > 80
    missing = [
        (row, test) for row, tests in named.items() for test in tests or [""]
        if not test or not exists(test)
    ]
    assert missing == []
