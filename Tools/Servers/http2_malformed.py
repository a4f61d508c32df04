# SPDX-License-Identifier: Apache-2.0
"""Responses of the HTTP/2 server that break the rules of HTTP, of its frames or of header compression."""

import struct

from http2_connection import (
    ACK, CONTINUATION, DATA, END_HEADERS, END_STREAM, GOAWAY, HEADERS, PADDED, PING, PUSH_PROMISE, RST_STREAM, SETTINGS,
    WINDOW_UPDATE, behaviour, behaviours)


def whole(c, request, *fields, body=b"ok", **options):
    """A head and a body, one of which is wrong."""
    c.head(request, *fields, **options)
    c.data(request, body, end=True)


behaviours.update({
    "short-data": lambda c, request: whole(c, request, ("content-length", "1000"), body=b"a" * 500),
    "data-beyond-length": lambda c, request: whole(c, request, ("content-length", "2"), body=b"more than two"),
    "no-data-beyond-head": lambda c, request: c.head(request, ("content-length", "2"), flags=END_HEADERS | END_STREAM),
    "two-lengths": lambda c, request: whole(c, request, ("content-length", "2"), ("content-length", "3")),
    "malformed-length": lambda c, request: whole(c, request, ("content-length", "2, 2")),
    "data-before-head": lambda c, request: c.data(request, b"ok", end=True),
    "data-after-end": lambda c, request: [c.respond(request), c.data(request, b"more", end=True)],
    "status": lambda c, request, value: whole(c, request, ("content-length", "2"), status=value),
    "no-status": lambda c, request: [
        c.frame(HEADERS, END_HEADERS, request.stream, c.encoder.encode([("x-a", "a")])), c.data(request, b"ok", end=True)],
})


@behaviour
def field(c, request, kind):
    fields = {
        "uppercase": ("X-Upper", "a"),
        "connection": ("connection", "close"),
        "transfer-encoding": ("transfer-encoding", "chunked"),
        "upgrade": ("upgrade", "h2c"),
        "line-feed": ("x-a", "a\r\nset-cookie: injected=1"),
        "nul": ("x-a", "a\0b"),
        "space-in-name": ("x a", "a"),
        "empty-name": ("", "a"),
        "pseudo": (":path", "/"),
        "pseudo-last": (":status", "204"),
        "not-utf8": ("x-a", b"\xff\xfe"),
    }
    whole(c, request, ("x-first", "a"), fields[kind])


@behaviour
def frame(c, request, kind):
    block = c.encoder.encode([(":status", "200")])
    {
        "too-large": lambda: c.frame(DATA, 0, request.stream, bytes(20000)),
        "length-only": lambda: c.frame(DATA, 0, request.stream, bytes(1000), length=0xFFFFFF),
        "goaway-too-large": lambda: c.frame(GOAWAY, 0, 0, bytes(100_000)),
        "headers-on-zero": lambda: c.frame(HEADERS, END_HEADERS, 0, block),
        "headers-on-idle": lambda: c.frame(HEADERS, END_HEADERS, request.stream + 100, block),
        "headers-on-even": lambda: c.frame(HEADERS, END_HEADERS, 4, block),
        "data-on-zero": lambda: c.frame(DATA, 0, 0, b"a"),
        "data-on-idle": lambda: c.frame(DATA, 0, request.stream + 100, b"a"),
        "continuation-alone": lambda: c.frame(CONTINUATION, END_HEADERS, request.stream, block),
        "headers-interrupted": lambda: [c.frame(HEADERS, 0, request.stream, block), c.frame(PING, 0, 0, bytes(8))],
        "settings-odd": lambda: c.frame(SETTINGS, 0, 0, b"abc"),
        "settings-on-stream": lambda: c.frame(SETTINGS, 0, request.stream),
        "settings-ack-payload": lambda: c.frame(SETTINGS, ACK, 0, bytes(6)),
        "settings-push": lambda: c.frame(SETTINGS, 0, 0, struct.pack(">HL", 2, 2)),
        "settings-window": lambda: c.frame(SETTINGS, 0, 0, struct.pack(">HL", 4, 1 << 31)),
        "settings-frame-size": lambda: c.frame(SETTINGS, 0, 0, struct.pack(">HL", 5, 1)),
        "settings-streams-zero": lambda: [c.frame(SETTINGS, 0, 0, struct.pack(">HL", 3, 0)), c.respond(request)],
        "ping-short": lambda: c.frame(PING, 0, 0, b"abc"),
        "reset-short": lambda: c.frame(RST_STREAM, 0, request.stream, b"a"),
        "reset-idle": lambda: c.frame(RST_STREAM, 0, request.stream + 100, bytes(4)),
        "goaway-short": lambda: c.frame(GOAWAY, 0, 0, b"abc"),
        "window-zero": lambda: c.frame(WINDOW_UPDATE, 0, 0, bytes(4)),
        "window-overflow": lambda: c.frame(WINDOW_UPDATE, 0, 0, b"\x7f\xff\xff\xff"),
        "window-overflow-stream": lambda: c.frame(WINDOW_UPDATE, 0, request.stream, b"\x7f\xff\xff\xff"),
        "padding-too-long": lambda: c.frame(DATA, PADDED, request.stream, b"\xffabc"),
        "headers-padding-too-long": lambda: c.frame(HEADERS, END_HEADERS | PADDED, request.stream, b"\xff" + block),
        "headers-depends-on-itself": lambda: c.frame(
            HEADERS, END_HEADERS | 0x20, request.stream, struct.pack(">LB", request.stream, 16) + block
        ),
        "hpack-index": lambda: c.frame(HEADERS, END_HEADERS, request.stream, b"\xff\xff\xff\xff\x0f"),
        "hpack-index-zero": lambda: c.frame(HEADERS, END_HEADERS, request.stream, b"\x80"),
        "hpack-integer": lambda: c.frame(HEADERS, END_HEADERS, request.stream, b"\xff" + b"\xff" * 100),
        "hpack-huffman": lambda: c.frame(HEADERS, END_HEADERS, request.stream, block + b"\x00\x83\xff\xff\xff\x01a"),
        "hpack-string": lambda: c.frame(HEADERS, END_HEADERS, request.stream, block + b"\x00\x7f\xff\xff\x03"),
        "hpack-table-size": lambda: c.frame(HEADERS, END_HEADERS, request.stream, b"\x3f\xff\xff\x7f" + block),
        "hpack-empty": lambda: c.frame(HEADERS, END_HEADERS, request.stream),
        "push-on-zero": lambda: c.frame(PUSH_PROMISE, END_HEADERS, 0, struct.pack(">L", 2) + block),
        "random": lambda: c.write(bytes((i * 73 + 41) & 0xFF for i in range(5000))),
        "http-1": lambda: c.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"),
        "cut": lambda: [c.frame(HEADERS, END_HEADERS, request.stream, b"", length=100), c.close()],
    }[kind]()


@behaviour
def frame_in_body(c, request, kind):
    """The same within a body whose length is not known."""
    c.head(request)
    c.data(request, b"a" * 500)
    frame(c, request, kind)


@behaviour
def frame_after_second(c, request, kind):
    """The same under a request on a connection that has proved itself."""
    if len(c.requests) == 1:
        return c.respond(request)
    frame(c, request, kind)
