# SPDX-License-Identifier: Apache-2.0
"""A server's end of an HTTP/2 connection, and the table of what it can do with a request.

What it reads goes through hyper-h2; what it writes is frames by hand. A behaviour is a function of the connection, the request and
the arguments of its path.
"""

import contextlib
import select
import ssl
import struct
import urllib.parse

import h2.config
import h2.connection
import h2.events
import h2.exceptions
import hpack

DATA, HEADERS, PRIORITY, RST_STREAM, SETTINGS, PUSH_PROMISE, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION = range(10)
END_STREAM, END_HEADERS, PADDED, ACK = 1, 4, 8, 1

#: The behaviours by name.
behaviours = {}
#: Those that begin with the head of the request, its body unread.
early = set()


def behaviour(function):
    behaviours[function.__name__.replace("_", "-")] = function
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

    @contextlib.contextmanager
    def together(self):
        """Writes as one piece what is written in the meantime."""
        self.is_writing = True
        yield
        self.is_writing = False
        self.flush()

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
