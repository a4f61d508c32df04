# SPDX-License-Identifier: Apache-2.0
"""Responses of the HTTP/2 server that are correct, and connections and streams that end early."""

import struct

from http2_connection import DATA, END_HEADERS, END_STREAM, HEADERS, PUSH_PROMISE, behaviour, behaviours, early
from listener import abort


# Their arguments are those of the path.


def goaway(c, last, code=0):
    """The end of the connection is announced, and the client left to it."""
    c.goaway(last, code)
    c.linger()


def broken_off(c, request, *fields, body=b"a" * 500):
    """A head, and a part of the body."""
    c.head(request, *fields)
    c.data(request, body)


LENGTH = ("content-length", "1000")

behaviours.update({
    # As it should be.
    "ok": lambda c, request: c.respond(request),
    "trailers": lambda c, request: [
        broken_off(c, request, ("trailer", "x-trailer"), body=b"ok"),
        c.frame(HEADERS, END_HEADERS | END_STREAM, request.stream, c.encoder.encode([("x-trailer", "a"), ("x-head", "b")]))],
    "informational": lambda c, request: [
        *(c.head(request, ("x-early", "a"), status="103") for _ in range(3)), c.respond(request)],
    "unknown-frames": lambda c, request: [
        c.frame(0x77, 0xFF, request.stream, b"unknown"), c.frame(0x0A, 0, 0, b"\0\0unknown"), c.respond(request)],
    # A response before the end of the request, and a reset that says it suffices (RFC 9113 § 8.1).
    "early-response": lambda c, request: [
        c.head(request, ("content-length", "2"), status="413"), c.data(request, b"no", end=True), c.reset(request, 0)],

    # The connection ends. Below the request, it was not processed: a second try is.
    "goaway-below": lambda c, request, code="0": c.respond(request) if request.attempt > 1 else goaway(c, 0, code),
    "goaway-below-always": lambda c, request: goaway(c, 0),
    "goaway-above": lambda c, request, code="0": [c.goaway(request.stream, code), c.respond(request), c.linger()],
    "goaway-when-idle": lambda c, request: [
        c.respond(request), c.goaway(request.stream), c.log.count(f"goaway/{request.id}"), c.linger()],
    "goaway-then-close": lambda c, request: [c.goaway(request.stream), c.close()],
    "goaway-in-body": lambda c, request: [broken_off(c, request, LENGTH), c.goaway(0, 2), c.close()],
    "close-length-unknown": lambda c, request: [broken_off(c, request), c.close()],
    "abort-before": lambda c, request: [abort(c.socket), c.close()],
    # The connection breaks under the second request on it.
    "second-on-kept-closes": lambda c, request: c.respond(request) if len(c.requests) == 1 else c.close(),
    "silent": lambda c, request: c.linger(),
    "silent-body": lambda c, request: [broken_off(c, request, body=b"a"), c.linger()],
    "reset-length-unknown": lambda c, request, code: [broken_off(c, request), c.reset(request, code)],
    "no-window": lambda c, request: c.linger(),
})
early.update(("early-response", "no-window"))


@behaviour
def echo(c, request):
    c.head(request, ("content-length", str(len(request.body))))
    for start in range(0, len(request.body), 16384):
        c.data(request, request.body[start : start + 16384])
    c.data(request, end=True)


@behaviour
def goaway_after(c, request):
    with c.together():
        c.respond(request)
        c.goaway(request.stream)
    c.linger()


@behaviour
def goaway_under_next(c, request):
    """The next request on the connection is not processed."""
    c.respond(request)
    while len(c.requests) == 1:
        c.receive(20)
    goaway(c, request.stream)


@behaviour
def close(c, request, place="before"):
    if place != "before":
        c.head(request, LENGTH)
    if place == "body":
        c.data(request, b"a" * 500)
    c.close()


@behaviour
def reset(c, request, code, place):
    if place == "once" and request.attempt > 1:
        return c.respond(request)
    if place in ("head", "body"):
        c.head(request, LENGTH)
    if place == "body":
        c.data(request, b"a" * 500)
    c.reset(request, code)


@behaviour
def push(c, request):
    fields = [(":method", "GET"), (":scheme", "https"), (":authority", "localhost"), (":path", "/pushed")]
    c.frame(PUSH_PROMISE, END_HEADERS, request.stream, struct.pack(">L", 2) + c.encoder.encode(fields))
    c.frame(HEADERS, END_HEADERS, 2, c.encoder.encode([(":status", "200")]))
    c.frame(DATA, END_STREAM, 2, b"pushed")
    c.respond(request)
