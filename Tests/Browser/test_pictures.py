"""Each kind of control is shown in its states. `make pictures` takes the pictures."""

import struct

import pytest

from support import places

most_bytes = 30_000
documents = sorted(places.root.glob("docs/kinds/*.md"))
kinds = [path.stem for path in documents if path.stem != "README"]


@pytest.mark.parametrize("kind", kinds)
def test_a_kind_has_its_picture(kind):
    text = (places.root / f"docs/kinds/{kind}.md").read_text()
    assert f"](../images/kinds/{kind}.png)" in text
    picture = (places.root / f"docs/images/kinds/{kind}.png").read_bytes()
    assert picture.startswith(b"\x89PNG")
    assert len(picture) <= most_bytes
    width, height = struct.unpack(">II", picture[16:24])
    assert 120 <= width <= 700 and height >= 60


def test_there_is_no_other_picture():
    found = {path.stem for path in places.root.glob("docs/images/kinds/*")}
    assert found == set(kinds)
