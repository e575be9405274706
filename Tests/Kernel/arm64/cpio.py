#!/usr/bin/env python3
"""Archives that Linux unpacks into its first file system (cpio, newc): cpio.py FOLDER FILE.

Everything in an archive belongs to root, whoever writes it. Devices need no privilege.
"""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path
from typing import BinaryIO


class Archive:
    """Writes entries to a file that is open."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._count = 0
        self._folders: set[str] = set()

    def add(self, place: str, mode: int, data: bytes = b"", device: tuple[int, int] = (0, 0)) -> None:
        """Writes one entry, after the folders that it is in."""
        if parent := os.path.dirname(place):
            self.add_folder(parent)
        self._write(place, mode, data, device)

    def add_folder(self, place: str) -> None:
        """Writes a folder, once, after those that it is in."""
        if place in self._folders:
            return
        self._folders.add(place)
        self.add(place, stat.S_IFDIR | 0o755)

    def add_file(self, path: Path, place: str) -> None:
        """Writes a file, link or folder of this machine, with all that is in it."""
        status = path.lstat()
        if stat.S_ISLNK(status.st_mode):
            self.add(place, stat.S_IFLNK | 0o777, os.readlink(path).encode())
        elif stat.S_ISDIR(status.st_mode):
            if place:
                self.add_folder(place)
            for name in sorted(os.listdir(path)):
                self.add_file(path / name, f"{place}/{name}".lstrip("/"))
        else:
            self.add(place, stat.S_IFREG | (status.st_mode & 0o777), path.read_bytes())

    def close(self) -> None:
        """Writes the end; another archive may follow it in the same file."""
        self._write("TRAILER!!!", 0, b"", (0, 0))
        self._file.write(bytes(-self._file.tell() % 512))

    def _write(self, place: str, mode: int, data: bytes, device: tuple[int, int]) -> None:
        self._count += 1
        name = place.encode() + b"\0"
        numbers = (self._count, mode, 0, 0, 1, 0, len(data), 0, 0, *device, len(name), 0)
        head = b"070701" + b"".join(b"%08X" % number for number in numbers) + name
        self._file.write(head + bytes(-len(head) % 4) + data + bytes(-len(data) % 4))


def main() -> None:
    """Packs a folder, with the folders and devices that the first process needs."""
    with open(sys.argv[2], "wb") as file:
        archive = Archive(file)
        for name in ("dev", "proc", "run", "sys", "tmp"):
            archive.add_folder(name)
        archive.add("dev/console", stat.S_IFCHR | 0o600, device=(5, 1))
        archive.add("dev/null", stat.S_IFCHR | 0o666, device=(1, 3))
        archive.add_file(Path(sys.argv[1]), "")
        archive.close()


if __name__ == "__main__":
    main()
