# SPDX-License-Identifier: Apache-2.0
"""Responses of the HTTP/2 server that do not end, or that take more memory than they should."""

import zlib

import hpack

from http2_connection import (
    ACK, CONTINUATION, DATA, END_HEADERS, HEADERS, PADDED, PING, PRIORITY, RST_STREAM, SETTINGS, WINDOW_UPDATE, behaviour)


@behaviour
def flood(c, request, kind, reads="reading"):
    c.reads = reads == "reading"
    kinds = {
        "settings": (SETTINGS, 0, 0, b""),
        "settings-ack": (SETTINGS, ACK, 0, b""),
        "ping": (PING, 0, 0, bytes(8)),
        "ping-ack": (PING, ACK, 0, bytes(8)),
        "window-update": (WINDOW_UPDATE, 0, 0, b"\0\0\0\1"),
        "empty-data": (DATA, 0, request.stream, b""),
        "padding": (DATA, PADDED, request.stream, b"\xff" + bytes(255)),
        "priority": (PRIORITY, 0, request.stream + 2, b"\0\0\0\0\0"),
        "unknown": (0x77, 0, 0, bytes(1000)),
        "reset": (RST_STREAM, 0, request.stream, bytes(4)),
        "altsvc": (0x0A, 0, 0, b"\0\1ah2=\":443\""),
    }
    kind, flags, stream, payload = kinds[kind]
    if kind == DATA:
        c.head(request)
    frame = len(payload).to_bytes(3, "big") + bytes([kind, flags]) + stream.to_bytes(4, "big") + payload
    frames = frame * (16384 // len(frame))
    c.write(frames)
    c.log.count(f"flood/{request.id}")
    while True:
        c.write(frames)


@behaviour
def flood_after(c, request, kind):
    """A response, and a flood on its connection, which later requests find there."""
    c.respond(request)
    flood(c, request, kind)


@behaviour
def continuation_flood(c, request, payload="fields"):
    c.frame(HEADERS, 0, request.stream, c.encoder.encode([(":status", "200")]))
    fields = hpack.Encoder().encode([hpack.NeverIndexedHeaderTuple(f"x-{i}", "a" * 100) for i in range(100)], huffman=False)
    while True:
        c.frame(CONTINUATION, 0, request.stream, fields if payload == "fields" else b"")


@behaviour
def header_bomb(c, request):
    """One large field, and then a byte for each copy of it."""
    block = c.encoder.encode([(":status", "200"), ("x-bomb", "a" * 4000)], huffman=False)
    c.frame(HEADERS, 0, request.stream, block + b"\xbe" * (16384 - len(block)))
    while True:
        c.frame(CONTINUATION, 0, request.stream, b"\xbe" * 16384)


def respond_with_long_head(c, request, block):
    """A head in as many frames as it takes, and a short body."""
    c.frame(HEADERS, 0, request.stream, block[:16384])
    for start in range(16384, len(block), 16384):
        c.frame(CONTINUATION, 0, request.stream, block[start : start + 16384])
    c.frame(CONTINUATION, END_HEADERS, request.stream)
    c.data(request, b"ok", end=True)


@behaviour
def many_fields(c, request, count):
    fields = (hpack.NeverIndexedHeaderTuple(f"x-{i}", "a") for i in range(int(count)))
    respond_with_long_head(c, request, hpack.Encoder().encode([(":status", "200"), *fields]))


@behaviour
def large_field(c, request, size):
    field = hpack.NeverIndexedHeaderTuple("x-large", "a" * int(size))
    respond_with_long_head(c, request, hpack.Encoder().encode([(":status", "200"), field], huffman=False))


@behaviour
def endless_informational(c, request):
    while True:
        c.head(request, ("x-early", "a"), status="103")


@behaviour
def endless_trailers(c, request):
    c.head(request)
    c.data(request, b"ok")
    while True:
        c.frame(HEADERS, END_HEADERS, request.stream, c.encoder.encode([("x-trailer", "a")]))


@behaviour
def endless_data(c, request):
    """As fast as the client's windows allow."""
    c.h2.send_headers(request.stream, [(":status", "200")])
    while True:
        window = c.h2.local_flow_control_window(request.stream)
        if window:
            c.h2.send_data(request.stream, bytes(min(window, 16384)))
            c.flush()
            c.receive(0)
        else:
            c.receive(20)


@behaviour
def endless_data_beyond_window(c, request):
    c.head(request)
    while True:
        c.data(request, bytes(16384))


@behaviour
def gzip_bomb(c, request):
    encoder = zlib.compressobj(9, wbits=31)
    c.head(request, ("content-encoding", "gzip"))
    while True:
        c.data(request, encoder.compress(bytes(1 << 20)) or b"")
