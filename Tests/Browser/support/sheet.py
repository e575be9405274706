"""One page with the pictures of all faces, to look at them side by side."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

from support import places

_name = re.compile(r"face-(?P<panel>.+)-(?P<width>\d+)-(?P<theme>\w+)\.jpeg")
_head = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Faces</title>
<style>
  body { font: 14px sans-serif; margin: 16px }
  .row { display: flex; gap: 12px; align-items: start; margin-block: 8px 24px }
  figure { margin: 0 } figcaption { color: #555 } img { border: 1px solid #999; width: 100% }
</style>
"""


def write() -> Path | None:
    """Writes `faces.html` beside the pictures; nothing where there are none."""
    rows: dict[tuple[str, str], list[tuple[int, str]]] = defaultdict(list)
    for path in places.artefacts.glob("face-*.jpeg"):
        found = _name.fullmatch(path.name)
        if found:
            rows[found["panel"], found["theme"]].append((int(found["width"]), path.name))
    if not rows:
        return None
    lines = [_head]
    for (panel, theme), pictures in sorted(rows.items()):
        lines.append(f"<h2>{panel}, {theme}</h2><div class=row>")
        for width, name in sorted(pictures, reverse=True):
            lines.append(
                f'<figure style="flex:{width}"><a href="{name}"><img loading=lazy src="{name}"'
                f' alt="{panel}, {theme}, {width} pixels wide"></a>'
                f"<figcaption>{width}</figcaption></figure>"
            )
        lines.append("</div>")
    sheet = places.artefacts / "faces.html"
    sheet.write_text("\n".join(lines) + "\n")
    return sheet
