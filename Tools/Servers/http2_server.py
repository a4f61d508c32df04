# SPDX-License-Identifier: Apache-2.0
"""An HTTP/2 server over TLS that does what the request's path says, however wrong it is.

`/NAME/ARGUMENT…?id=ID` selects a behaviour of `http2_responses`, `http2_floods` or `http2_malformed`.
"""

import socket

# Each of these modules adds its behaviours to the table.
import http2_floods  # noqa: F401
import http2_malformed  # noqa: F401
import http2_responses  # noqa: F401
from http2_connection import Connection, behaviours  # noqa: F401
from listener import context, listen


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
