# SPDX-License-Identifier: Apache-2.0
"""Responses of the HTTP/2 server that are correct, and connections and streams that end early."""

import struct

from http2_connection import DATA, END_HEADERS, END_STREAM, HEADERS, PUSH_PROMISE, begins_early, behaviour
from listener import abort


# As it should be


@behaviour
def ok(c, request):
    c.respond(request)


@behaviour
def echo(c, request):
    c.head(request, ("content-length", str(len(request.body))))
    for start in range(0, len(request.body), 16384):
        c.data(request, request.body[start : start + 16384])
    c.data(request, end=True)


@behaviour
def encoded(c, request, encoding, body):
    c.head(request, ("content-encoding", encoding))
    c.data(request, bytes.fromhex(body), end=True)


@behaviour
def trailers(c, request):
    c.head(request, ("trailer", "x-trailer"))
    c.data(request, b"ok")
    c.frame(HEADERS, END_HEADERS | END_STREAM, request.stream, c.encoder.encode([("x-trailer", "a"), ("x-head", "b")]))


@behaviour
def informational(c, request):
    for _ in range(3):
        c.head(request, ("x-early", "a"), status="103")
    c.respond(request)


@behaviour
def unknown_frames(c, request):
    c.frame(0x77, 0xFF, request.stream, b"unknown")
    c.frame(0x0A, 0, 0, b"\0\0unknown")
    c.respond(request)


@begins_early
@behaviour
def early_response(c, request):
    """A response before the end of the request, and a reset that says it suffices (RFC 9113 § 8.1)."""
    c.head(request, ("content-length", "2"), status="413")
    c.data(request, b"no", end=True)
    c.reset(request, 0)


# The connection ends


@behaviour
def goaway_below(c, request, code="0"):
    """The request was not processed; a second try is."""
    if request.attempt > 1:
        return c.respond(request)
    c.goaway(0, code)
    c.linger()


@behaviour
def goaway_below_always(c, request):
    c.goaway(0)
    c.linger()


@behaviour
def goaway_above(c, request, code="0"):
    c.goaway(request.stream, code)
    c.respond(request)
    c.linger()


@behaviour
def goaway_after(c, request):
    with c.together():
        c.respond(request)
        c.goaway(request.stream)
    c.linger()


@behaviour
def goaway_when_idle(c, request):
    c.respond(request)
    c.goaway(request.stream)
    c.log.count(f"goaway/{request.id}")
    c.linger()


@behaviour
def goaway_under_next(c, request):
    """The next request on the connection is not processed."""
    c.respond(request)
    while len(c.requests) == 1:
        c.receive(20)
    c.goaway(request.stream)
    c.linger()


@behaviour
def goaway_then_close(c, request):
    c.goaway(request.stream)
    c.close()


@behaviour
def goaway_in_body(c, request):
    c.head(request, ("content-length", "1000"))
    c.data(request, b"a" * 500)
    c.goaway(0, 2)
    c.close()


@behaviour
def close(c, request, place="before"):
    if place != "before":
        c.head(request, ("content-length", "1000"))
    if place == "body":
        c.data(request, b"a" * 500)
    c.close()


@behaviour
def close_length_unknown(c, request):
    c.head(request)
    c.data(request, b"a" * 500)
    c.close()


@behaviour
def abort_before(c, request):
    abort(c.socket)
    c.close()


@behaviour
def second_on_kept_closes(c, request):
    """The connection breaks under the second request on it."""
    if len(c.requests) == 1:
        return c.respond(request)
    c.close()


@behaviour
def silent(c, request):
    c.linger()


@behaviour
def silent_body(c, request):
    c.head(request)
    c.data(request, b"a")
    c.linger()


# Streams are reset


@behaviour
def reset(c, request, code, place):
    if place == "once" and request.attempt > 1:
        return c.respond(request)
    if place in ("head", "body"):
        c.head(request, ("content-length", "1000"))
    if place == "body":
        c.data(request, b"a" * 500)
    c.reset(request, code)


@behaviour
def reset_length_unknown(c, request, code):
    c.head(request)
    c.data(request, b"a" * 500)
    c.reset(request, code)


@begins_early
@behaviour
def no_window(c, request):
    c.linger()


# Pushed


@behaviour
def push(c, request):
    fields = [(":method", "GET"), (":scheme", "https"), (":authority", "localhost"), (":path", "/pushed")]
    c.frame(PUSH_PROMISE, END_HEADERS, request.stream, struct.pack(">L", 2) + c.encoder.encode(fields))
    c.frame(HEADERS, END_HEADERS, 2, c.encoder.encode([(":status", "200")]))
    c.frame(DATA, END_STREAM, 2, b"pushed")
    c.respond(request)
