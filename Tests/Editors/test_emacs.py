"""Emacs with Eglot and the settings of docs/editors.md: problems, completion and a quick fix."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

root = Path(__file__).resolve().parent.parent.parent
emacs = shutil.which("emacs")
script = """
(setq eglot-sync-connect 20 inhibit-message t)
(find-file "panel.yaml")
(unless (eglot-current-server) (call-interactively #'eglot))
(let ((end (+ (float-time) 20)))
  (while (and (< (float-time) end) (not (flymake-diagnostics)))
    (accept-process-output nil 0.1)))
(princ (format "problem: %s\\n" (flymake-diagnostic-text (car (flymake-diagnostics)))))
(goto-char (point-min)) (search-forward "input: ")
(let* ((found (eglot-completion-at-point))
       (words (all-completions "" (nth 2 found))))
  (princ (format "words: %s\\n" (mapconcat #'substring-no-properties words " "))))
(goto-char (point-min)) (search-forward "swich")
(let ((fixes (eglot-code-actions (line-beginning-position) (line-end-position))))
  (eglot--dbind ((CodeAction) edit) (car fixes) (eglot--apply-workspace-edit edit)))
(princ (format "text: %s" (buffer-string)))
"""


def has_eglot() -> bool:
    if not emacs:
        return False
    command = [emacs, "--batch", "--eval", "(require 'eglot)"]
    return subprocess.run(command, capture_output=True).returncode == 0


@pytest.mark.skipif(not has_eglot(), reason="there is no Emacs with Eglot")
def test_emacs(tmp_path: Path) -> None:
    text = (root / "docs/editors.md").read_text()
    settings = re.search(r"```elisp\n(.*?)```", text, re.DOTALL).group(1)
    settings = settings.replace("(add-hook 'detent-mode-hook 'eglot-ensure)\n", "")
    (tmp_path / "panel.yaml").write_text(
        "panel: P\nboard: raspberry-pi-5\ncontrols:\n"
        "  a: {kind: swich, label: A, input: GPIO5}\n")
    (tmp_path / "script.el").write_text(settings + script)
    program = Path(os.environ["DETENT_PROGRAM"])
    names = {**os.environ, "PATH": f"{program.parent}:{os.environ['PATH']}",
             "HOME": str(tmp_path)}
    found = subprocess.run(
        [emacs, "--batch", "-l", "script.el"], cwd=tmp_path, env=names, capture_output=True,
        text=True, timeout=60)
    assert "did you mean `switch`?" in found.stdout, found.stdout + found.stderr
    assert "GPIO17" in found.stdout, found.stdout
    assert "kind: switch," in found.stdout, found.stdout
