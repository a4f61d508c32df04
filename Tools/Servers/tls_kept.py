# SPDX-License-Identifier: Apache-2.0
"""Servers that keep TLS connections: one that sends bytes after its responses, one that tells who the client is, and a relay
that puts TLS before a server without."""

import gzip
import select
import socket
import ssl

from listener import abort, client_name, context, listen, read_head

FORGED = b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged"
BODY = b"first" * 100


def response(body, fields=""):
    return f"HTTP/1.1 200 OK\r\n{fields}Content-Length: {len(body)}\r\n\r\n".encode() + body


def split(body, surplus, *cuts, fields=""):
    """The records of a response: the head, and the body with what follows it, cut at some offsets."""
    head = response(body, fields)[: -len(body)]
    rest = body + surplus
    ends = [0, *cuts, len(rest)]
    return [head, *(rest[start:end] for start, end in zip(ends, ends[1:]))]


def arrangements():
    """The records of a response with a forged one behind it, by name."""
    compressed = gzip.compress(BODY * 20)
    large = b"b" * (16384 - len(FORGED))
    encoding = "Content-Encoding: gzip\r\n"
    return {
        "one-record": split(BODY, FORGED),
        "several-records": split(BODY, FORGED, 100, 200, 400),
        "largest-record": split(large, FORGED),
        "surplus-in-a-record-of-its-own": split(BODY, FORGED, len(BODY)),
        "surplus-in-two-records": split(BODY, FORGED, len(BODY) + 20),
        "compressed": split(compressed, FORGED, fields=encoding),
        "compressed-in-several-records": split(compressed, FORGED, 10, 20, fields=encoding),
        # These the client reads to their end before it looks at the length, or has no length to look at.
        "head-and-body": [response(BODY) + FORGED],
        "chunks": [b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", b"5\r\nfirst\r\n", b"0\r\n\r\n" + FORGED],
        "no-content": [b"HTTP/1.1 204 No Content\r\n\r\n", FORGED],
        "no-content-one-record": [b"HTTP/1.1 204 No Content\r\n", b"\r\n" + FORGED],
        "empty": [b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", FORGED],
        "not-modified": [b"HTTP/1.1 304 Not Modified\r\nContent-Length: 500\r\n\r\n", FORGED],
    }


def start(folder, log):
    """Returns: The ports by name."""
    settings = context(folder)
    responses = arrangements()

    def surplus(connection):
        """`/NAME` gets the arrangement of that name in one packet, and every other path a response.

        What comes in a later packet may come after the client's next request, and is then no surplus. `/late` gets a response
        and then another one, and the log tells when both were sent.
        """
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        with settings.wrap_socket(connection, server_side=True) as tls:
            while True:
                head, _ = read_head(tls)
                if not head:
                    return
                method, path, _ = head.split(" ", 2)
                records = responses.get(path[1:], [response(b"" if method == "HEAD" else b"second")])
                log.count("surplus" + path)
                if path == "/late":
                    tls.sendall(response(BODY))
                    tls.sendall(FORGED)
                    log.count("surplus-sent")
                    continue
                tls.setsockopt(socket.IPPROTO_TCP, socket.TCP_CORK, 1)
                for record in records:
                    tls.sendall(record)
                tls.setsockopt(socket.IPPROTO_TCP, socket.TCP_CORK, 0)

    def identity(version):
        """Tells the name in the client's certificate, and whether the session was resumed; closes the connection."""
        settings = context(folder, version=version, requires_client=True)

        def serve(connection):
            with settings.wrap_socket(connection, server_side=True) as tls:
                read_head(tls)
                body = f"{client_name(tls)} {'resumed' if tls.session_reused else 'new'}".encode()
                tls.sendall(response(body, "Connection: close\r\n"))
                tls.unwrap()

        return serve

    def relay(connection):
        """Passes a connection on to the port that the name of the server begins with, and each piece as a record of its own."""
        names = []
        settings = context(folder)
        settings.sni_callback = lambda _, name, __: names.append(name)
        with settings.wrap_socket(connection, server_side=True) as tls:
            port = int(names[0].split(".")[0][1:])
            with socket.create_connection(("127.0.0.1", port)) as origin:
                while True:
                    # One thread for both directions: two must not use one TLS session at the same time.
                    ready = [tls] if tls.pending() else select.select([tls, origin], [], [])[0]
                    if origin in ready:
                        try:
                            piece = origin.recv(65536)
                        except ConnectionResetError:
                            return abort(tls)
                        if not piece:
                            return tls.unwrap()
                        tls.sendall(piece)
                    if tls in ready:
                        piece = tls.recv(65536)
                        if not piece:
                            return
                        origin.sendall(piece)

    return {
        "surplus": listen(surplus),
        "identity-1.2": listen(identity(ssl.TLSVersion.TLSv1_2)),
        "identity-1.3": listen(identity(ssl.TLSVersion.TLSv1_3)),
        "relay": listen(relay),
    }
