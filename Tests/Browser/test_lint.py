"""`make lint` finds the faults in JavaScript that it is there for."""

import subprocess

import pytest

from support import places

faults = {
    "no-undef": "export const one = two;",
    "no-unused-vars": "const one = 1;",
    "no-fallthrough": "export function f(a) { switch (a) { case 1: a(); case 2: return a; } }",
    "eqeqeq": "export const f = (a) => a == 1;",
    "no-var": "export var one = 1;",
    "no-const-assign": "export const one = 1; one = 2;",
}


@pytest.mark.parametrize("rule", faults)
def test_a_fault_is_found(tmp_path, rule):
    file = tmp_path / "fault.js"
    file.write_text(faults[rule] + "\n")
    said = subprocess.run(
        [places.tests / "lint", file], capture_output=True, text=True, timeout=120
    )
    assert said.returncode == 1
    assert f"({rule})" in said.stderr
