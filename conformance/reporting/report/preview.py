"""The picture that previews of links to the report show: the bars of the heat map, as a PNG."""

from __future__ import annotations

import struct
import zlib
from typing import Any

from .heat import heat_of

WIDTH, HEIGHT = 1200, 630
MARGIN = 30
PAPER, SOFT = (255, 255, 255), (226, 231, 236)
COLORS = ((20, 97, 168), (242, 207, 74), (238, 122, 31))
"""Of what passes, is a known failure, fails."""
Color = tuple[int, int, int]


def preview_of(report: dict[str, Any]) -> bytes:
    """The picture, in the size that link previews ask for."""
    engines = report["engines"][:12]
    rows = heat_of(report, engines)
    columns, lines = max(len(engines), 1), max(len(rows), 1)
    width, height = (WIDTH - 2 * MARGIN) // columns, max((HEIGHT - 2 * MARGIN) // lines, 2)
    picture = [_line([])] * MARGIN
    for row in rows:
        spans = []
        for index, cell in enumerate(row["cells"]):
            left = MARGIN + index * width
            bar = width - max(width // 12, 2)
            spans.append((left, left + bar, SOFT))
            begin = left
            for end, color in zip(cell["ends"], COLORS, strict=True):
                until = left + round(min(float(end), 100.0) * bar / 100)
                spans.append((begin, until, color))
                begin = until
        gap = 1 if height < 8 else 2
        picture += [_line(spans)] * (height - gap) + [_line([])] * gap
    picture += [_line([])] * (HEIGHT - len(picture))
    return _png(picture[:HEIGHT])


def _line(spans: list[tuple[int, int, Color]]) -> bytes:
    line = bytearray(bytes(PAPER) * WIDTH)
    for begin, end, color in spans:
        line[3 * begin : 3 * end] = bytes(color) * (end - begin)
    return bytes(line)


def _png(lines: list[bytes]) -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        check = struct.pack(">I", zlib.crc32(kind + data))
        return struct.pack(">I", len(data)) + kind + data + check

    header = struct.pack(">IIBBBBB", WIDTH, len(lines), 8, 2, 0, 0, 0)
    pixels = zlib.compress(b"".join(b"\0" + line for line in lines), 9)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")
    )
