# SPDX-License-Identifier: Apache-2.0
"""An HTTP/2 server over TLS that does what the request's path says, however wrong it is.

`/NAME/ARGUMENT…?id=ID` selects a behaviour below. What it reads goes through hyper-h2; what it writes is frames by hand.
"""

import select
import socket
import ssl
import struct
import urllib.parse

import h2.config
import h2.connection
import h2.events
import h2.exceptions
import hpack

from listener import abort, context, listen

DATA, HEADERS, PRIORITY, RST_STREAM, SETTINGS, PUSH_PROMISE, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION = range(10)
END_STREAM, END_HEADERS, PADDED, ACK = 1, 4, 8, 1

behaviours = {}
# Those that begin with the head of the request, its body unread.
early = set()


def behaviour(function):
    behaviours[function.__name__.replace("_", "-")] = function
    return function


def begins_early(function):
    early.add(function.__name__.replace("_", "-"))
    return function


class Gone(OSError):
    """The client went away."""


class Request:
    def __init__(self, stream, method, path):
        self.stream = stream
        self.method = method
        url = urllib.parse.urlsplit(path)
        self.name, *self.arguments = url.path[1:].split("/")
        self.id = urllib.parse.parse_qs(url.query).get("id", [""])[0]
        self.body = b""
        self.attempt = 0


class Connection:
    """One connection, in a thread of its own. It goes on reading while it writes."""

    def __init__(self, socket, log):
        self.socket = socket
        self.log = log
        self.requests = {}
        # The requests whose behaviour is to begin.
        self.ready = []
        self.outgoing = bytearray()
        self.is_writing = False
        self.reads = True
        self.is_broken = False
        self.encoder = hpack.Encoder()
        self.h2 = h2.connection.H2Connection(
            h2.config.H2Configuration(client_side=False, header_encoding="utf-8", validate_inbound_headers=False)
        )

    def serve(self):
        self.socket.setblocking(False)
        self.h2.initiate_connection()
        self.flush()
        while True:
            self.receive(20)
            while self.ready:
                request = self.ready.pop(0)
                try:
                    behaviours[request.name](self, request, *request.arguments)
                except h2.exceptions.StreamClosedError:
                    pass  # the client has had enough of it

    def linger(self):
        """Reads on until the client goes away."""
        while True:
            self.receive(20)

    def receive(self, timeout):
        """Reads what is there, or waits for it up to `timeout` seconds."""
        if not self.socket.pending() and not select.select([self.socket], [], [], timeout)[0]:
            if timeout:
                raise Gone
            return
        try:
            data = self.socket.recv(65536)
        except (ssl.SSLWantReadError, ssl.SSLWantWriteError):
            return
        if not data:
            raise Gone
        if self.is_broken:
            return
        try:
            for event in self.h2.receive_data(data):
                self.handle(event)
        except h2.exceptions.ProtocolError:
            # The answer to what it wrote by hand, which it knows nothing of.
            self.is_broken = True
            return
        self.flush()

    def handle(self, event):
        if isinstance(event, h2.events.RequestReceived):
            fields = dict(event.headers)
            request = Request(event.stream_id, fields[":method"], fields[":path"])
            self.requests[request.stream] = request
            request.attempt = self.log.count(request.id)
            self.log.count("http2/" + request.name)
            if request.name in early:
                self.ready.append(request)
            return
        request = self.requests.get(getattr(event, "stream_id", None))
        if request is None or request.name in early:
            return
        if isinstance(event, h2.events.DataReceived):
            request.body += event.data
            self.h2.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
        elif isinstance(event, h2.events.StreamEnded):
            self.ready.append(request)

    # Writing

    def flush(self):
        self.write(self.h2.data_to_send())

    def write(self, data):
        self.outgoing += data
        # Reading, which goes on below, writes too; that must not overtake what is on its way.
        if self.is_writing:
            return
        self.is_writing = True
        while self.outgoing:
            if self.reads:
                self.receive(0)
            try:
                del self.outgoing[: self.socket.send(self.outgoing)]
            except (ssl.SSLWantWriteError, ssl.SSLWantReadError):
                reading = [self.socket] if self.reads else []
                if not any(select.select(reading, [self.socket], [], 20)):
                    raise Gone from None
        self.is_writing = False

    def frame(self, kind, flags, stream, payload=b"", length=None):
        length = len(payload) if length is None else length
        self.write(length.to_bytes(3, "big") + bytes([kind, flags]) + stream.to_bytes(4, "big") + payload)

    def head(self, request, *fields, status="200", flags=END_HEADERS):
        self.frame(HEADERS, flags, request.stream, self.encoder.encode([(":status", status), *fields]))

    def data(self, request, data=b"", end=False):
        self.frame(DATA, END_STREAM if end else 0, request.stream, data)

    def respond(self, request, body=b"ok"):
        self.head(request, ("content-length", str(len(body))))
        self.data(request, body, end=True)

    def reset(self, request, code):
        self.frame(RST_STREAM, 0, request.stream, struct.pack(">L", int(code)))

    def goaway(self, last, code=0):
        self.frame(GOAWAY, 0, 0, struct.pack(">LL", last, int(code)))

    def close(self):
        raise Gone


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
    c.respond(request)
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


# Floods


@behaviour
def flood(c, request, kind, reads="reading"):
    c.reads = reads == "reading"
    frames = {
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
    kind, flags, stream, payload = frames[kind]
    if kind == DATA:
        c.head(request)
    frame = len(payload).to_bytes(3, "big") + bytes([kind, flags]) + stream.to_bytes(4, "big") + payload
    while True:
        c.write(frame * (16384 // len(frame)))


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


@behaviour
def many_fields(c, request, count):
    block = hpack.Encoder().encode(
        [(":status", "200"), *(hpack.NeverIndexedHeaderTuple(f"x-{i}", "a") for i in range(int(count)))]
    )
    c.frame(HEADERS, 0, request.stream, block[:16384])
    for start in range(16384, len(block), 16384):
        c.frame(CONTINUATION, 0, request.stream, block[start : start + 16384])
    c.frame(CONTINUATION, END_HEADERS, request.stream)
    c.data(request, b"ok", end=True)


@behaviour
def large_field(c, request, size):
    block = hpack.Encoder().encode(
        [(":status", "200"), hpack.NeverIndexedHeaderTuple("x-large", "a" * int(size))], huffman=False
    )
    c.frame(HEADERS, 0, request.stream, block[:16384])
    for start in range(16384, len(block), 16384):
        c.frame(CONTINUATION, 0, request.stream, block[start : start + 16384])
    c.frame(CONTINUATION, END_HEADERS, request.stream)
    c.data(request, b"ok", end=True)


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
    import zlib

    encoder = zlib.compressobj(9, wbits=31)
    c.head(request, ("content-encoding", "gzip"))
    while True:
        c.data(request, encoder.compress(bytes(1 << 20)) or b"")


# Pushed


@behaviour
def push(c, request):
    fields = [(":method", "GET"), (":scheme", "https"), (":authority", "localhost"), (":path", "/pushed")]
    c.frame(PUSH_PROMISE, END_HEADERS, request.stream, struct.pack(">L", 2) + c.encoder.encode(fields))
    c.frame(HEADERS, END_HEADERS, 2, c.encoder.encode([(":status", "200")]))
    c.frame(DATA, END_STREAM, 2, b"pushed")
    c.respond(request)


# Malformed


@behaviour
def short_data(c, request):
    c.head(request, ("content-length", "1000"))
    c.data(request, b"a" * 500, end=True)


@behaviour
def data_beyond_length(c, request):
    c.head(request, ("content-length", "2"))
    c.data(request, b"more than two", end=True)


@behaviour
def no_data_beyond_head(c, request):
    c.head(request, ("content-length", "2"), flags=END_HEADERS | END_STREAM)


@behaviour
def two_lengths(c, request):
    c.head(request, ("content-length", "2"), ("content-length", "3"))
    c.data(request, b"ok", end=True)


@behaviour
def malformed_length(c, request):
    c.head(request, ("content-length", "2, 2"))
    c.data(request, b"ok", end=True)


@behaviour
def data_before_head(c, request):
    c.data(request, b"ok", end=True)


@behaviour
def data_after_end(c, request):
    c.respond(request)
    c.data(request, b"more", end=True)


@behaviour
def status(c, request, value):
    c.head(request, ("content-length", "2"), status=value)
    c.data(request, b"ok", end=True)


@behaviour
def no_status(c, request):
    c.frame(HEADERS, END_HEADERS, request.stream, c.encoder.encode([("x-a", "a")]))
    c.data(request, b"ok", end=True)


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
    c.head(request, ("x-first", "a"), fields[kind])
    c.data(request, b"ok", end=True)


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


def start(folder, log):
    """Returns: The ports by name."""

    def server(first=None, protocols=("h2",)):
        settings = context(folder, protocols=protocols)

        def serve(connection):
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            with settings.wrap_socket(connection, server_side=True) as tls:
                if first is None:
                    return Connection(tls, log).serve()
                tls.sendall(first)
                while tls.recv(65536):
                    pass

        return listen(serve)

    return {
        "http2": server(),
        # What comes instead of the server's preface.
        "http2-preface-http1": server(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 2\r\n\r\nno"),
        "http2-preface-garbage": server(bytes(range(256)) * 16),
        "http2-preface-goaway": server(b"\0\0\0\4\0\0\0\0\0" + b"\0\0\x08\7\0\0\0\0\0" + bytes(4) + b"\0\0\0\x0b"),
        "http2-preface-silent": server(b""),
    }
