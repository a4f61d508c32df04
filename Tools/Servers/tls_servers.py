# SPDX-License-Identifier: Apache-2.0
"""Servers that break TLS, each on a port of its own."""

import socket
import ssl
import struct
import time

from listener import abort, client_name, context, listen, read_head


def response(head, body=b""):
    return ("HTTP/1.1 200 OK\r\n" + head + "\r\n").encode() + body


def start(folder, log):
    """Returns: The ports by name."""
    ports = {}

    def server(function):
        ports[function.__name__.replace("_", "-")] = listen(function)
        return function

    # Before and within the handshake.

    def after_hello(data):
        """A server that responds to the first message of the handshake."""

        def serve(connection):
            connection.recv(65536)
            connection.sendall(data)
            connection.recv(65536)

        return listen(serve)

    ports |= {
        "garbage-handshake": after_hello(bytes(range(256)) * 64),
        # A well-formed record with a ServerHello that is cut off.
        "malformed-hello": after_hello(b"\x16\x03\x03" + struct.pack(">H", 8) + b"\x02\x00\x00\x04\x03\x03\x00\x00"),
        "oversized-record": after_hello(b"\x16\x03\x03\xff\xff" + bytes(65535)),
        # A fatal handshake_failure.
        "alert": after_hello(b"\x15\x03\x03\x00\x02\x02\x28"),
    }

    @server
    def silent(connection):
        while connection.recv(65536):
            pass

    @server
    def trickling_handshake(connection):
        connection.recv(65536)
        connection.sendall(b"\x16\x03\x03\x3f\xff")
        while True:
            connection.sendall(b"\2")
            time.sleep(0.05)

    @server
    def closes(connection):
        connection.recv(65536)

    @server
    def closes_at_once(connection):
        pass

    @server
    def resets(connection):
        connection.recv(65536)
        abort(connection)

    # Client certificates.

    def demand(version):
        settings = context(folder, version=version, requires_client=True)

        def serve(connection):
            with settings.wrap_socket(connection, server_side=True, do_handshake_on_connect=False) as tls:
                try:
                    tls.do_handshake()
                except ssl.SSLError:
                    # What the client has sent already is read, so that a reset does not overtake the alert.
                    connection = socket.socket(fileno=tls.detach())
                    connection.shutdown(socket.SHUT_WR)
                    while connection.recv(65536):
                        pass
                    return connection.close()
                head, _ = read_head(tls)
                if head:
                    log.count(head.split(" ")[1][1:])
                    name = client_name(tls).encode()
                    tls.sendall(response(f"Content-Length: {len(name)}\r\n", name))
                    read_head(tls)

        return listen(serve)

    ports["client-certificate-1.2"] = demand(ssl.TLSVersion.TLSv1_2)
    ports["client-certificate-1.3"] = demand(ssl.TLSVersion.TLSv1_3)

    # Within the response.

    def responding(name, respond, version=ssl.TLSVersion.TLSv1_3):
        """A server that breaks after the request.

        `respond` gets the connection, and a function that encrypts bytes without sending them.
        """
        settings = context(folder, version=version)

        def serve(connection):
            arrived, leaving = ssl.MemoryBIO(), ssl.MemoryBIO()
            tls = settings.wrap_bio(arrived, leaving, server_side=True)

            def step(function):
                while True:
                    try:
                        return function()
                    except ssl.SSLWantReadError:
                        connection.sendall(leaving.read())
                        piece = connection.recv(65536)
                        if not piece:
                            raise OSError("closed")
                        arrived.write(piece)

            step(tls.do_handshake)
            head = b""
            while b"\r\n\r\n" not in head:
                head += step(lambda: tls.read(65536))
            connection.sendall(leaving.read())
            log.count(head.split(b" ")[1][1:].decode())

            def encrypt(data):
                tls.write(data)
                return leaving.read()

            def close_notify():
                try:
                    tls.unwrap()
                except ssl.SSLError:
                    pass
                return leaving.read()

            respond(connection, encrypt, close_notify)

        ports[name] = listen(serve)

    def corrupt(connection, record):
        connection.sendall(bytearray(record[:-1]) + bytes([record[-1] ^ 1]))
        connection.recv(65536)

    def plaintext(connection):
        connection.sendall(response("Content-Length: 2\r\n", b"ok"))
        connection.recv(65536)

    def until_reset(connection, encrypt, _):
        connection.sendall(encrypt(response("Connection: close\r\n", half)))
        time.sleep(0.1)
        abort(connection)

    def trickling_record(connection, encrypt, _):
        for byte in encrypt(response("Content-Length: 1000\r\n", b"a" * 1000)):
            connection.sendall(bytes([byte]))
            time.sleep(0.02)

    half = b"a" * 500
    # The half of a body, with a length, or up to the end of the connection, which nothing proves to be the sender's.
    cut, unbounded = response("Content-Length: 1000\r\n", half), response("Connection: close\r\n", half)
    for name, respond in {
        "cut-length": lambda connection, encrypt, _: connection.sendall(encrypt(cut)),
        "cut-length-notified": lambda connection, encrypt, notify: connection.sendall(encrypt(cut) + notify()),
        "cut-chunks": lambda connection, encrypt, _: connection.sendall(
            encrypt(response("Transfer-Encoding: chunked\r\n", b"5\r\nabcde\r\n"))),
        "cut-record": lambda connection, encrypt, _: [connection.sendall(encrypt(cut)), connection.sendall(encrypt(half)[:-10])],
        "cut-head": lambda connection, encrypt, _: connection.sendall(encrypt(b"HTTP/1.1 200 OK\r\nContent-Le")),
        "corrupt-record": lambda connection, encrypt, _: [connection.sendall(encrypt(cut)), corrupt(connection, encrypt(half))],
        "corrupt-head": lambda connection, encrypt, _: corrupt(connection, encrypt(response("Content-Length: 0\r\n"))),
        "plaintext-response": lambda connection, *_: plaintext(connection),
        "until-close": lambda connection, encrypt, _: connection.sendall(encrypt(unbounded)),
        "until-close-notified": lambda connection, encrypt, notify: connection.sendall(encrypt(unbounded) + notify()),
        "until-reset": until_reset,
        "trickling-record": trickling_record,
        "closes-after-request": lambda *_: None,
    }.items():
        responding(name, respond)
        responding(name + "-1.2", respond, ssl.TLSVersion.TLSv1_2)
    return ports
