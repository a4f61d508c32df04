# SPDX-License-Identifier: Apache-2.0
"""Servers that break TLS, each on a port of its own."""

import socket
import ssl
import struct
import time

from listener import abort, context, listen, read_head


def response(head, body=b""):
    return ("HTTP/1.1 200 OK\r\n" + head + "\r\n").encode() + body


def start(folder, log):
    """Returns: The ports by name."""
    ports = {}

    def server(function):
        ports[function.__name__.replace("_", "-")] = listen(function)
        return function

    # Before and within the handshake.

    @server
    def garbage_handshake(connection):
        connection.recv(65536)
        connection.sendall(bytes(range(256)) * 64)
        connection.recv(65536)

    @server
    def malformed_hello(connection):
        """A well-formed record with a ServerHello that is cut off."""
        connection.recv(65536)
        connection.sendall(b"\x16\x03\x03" + struct.pack(">H", 8) + b"\x02\x00\x00\x04\x03\x03\x00\x00")
        connection.recv(65536)

    @server
    def oversized_record(connection):
        connection.recv(65536)
        connection.sendall(b"\x16\x03\x03\xff\xff" + bytes(65535))
        connection.recv(65536)

    @server
    def alert(connection):
        """A fatal handshake_failure."""
        connection.recv(65536)
        connection.sendall(b"\x15\x03\x03\x00\x02\x02\x28")
        connection.recv(65536)

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
        settings = context(folder)
        settings.verify_mode = ssl.CERT_REQUIRED
        settings.load_verify_locations(f"{folder}/ca.pem")
        settings.minimum_version = settings.maximum_version = version

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
                    name = dict(x[0] for x in tls.getpeercert()["subject"])["commonName"].encode()
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
        settings = context(folder)
        settings.minimum_version = settings.maximum_version = version

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

    def cut_length(connection, encrypt, _):
        connection.sendall(encrypt(response("Content-Length: 1000\r\n", b"a" * 500)))

    def cut_length_notified(connection, encrypt, close_notify):
        connection.sendall(encrypt(response("Content-Length: 1000\r\n", b"a" * 500)) + close_notify())

    def cut_chunks(connection, encrypt, _):
        connection.sendall(encrypt(response("Transfer-Encoding: chunked\r\n", b"5\r\nabcde\r\n")))

    def cut_record(connection, encrypt, _):
        connection.sendall(encrypt(response("Content-Length: 1000\r\n", b"a" * 500)))
        connection.sendall(encrypt(b"a" * 500)[:-10])

    def cut_head(connection, encrypt, _):
        connection.sendall(encrypt(b"HTTP/1.1 200 OK\r\nContent-Le"))

    def corrupt_record(connection, encrypt, _):
        connection.sendall(encrypt(response("Content-Length: 1000\r\n", b"a" * 500)))
        record = bytearray(encrypt(b"a" * 500))
        record[-1] ^= 1
        connection.sendall(record)
        connection.recv(65536)

    def corrupt_head(connection, encrypt, _):
        record = bytearray(encrypt(response("Content-Length: 0\r\n")))
        record[-1] ^= 1
        connection.sendall(record)
        connection.recv(65536)

    def plaintext_response(connection, encrypt, _):
        connection.sendall(response("Content-Length: 2\r\n", b"ok"))
        connection.recv(65536)

    def until_close(connection, encrypt, _):
        """The end of the body is the end of the connection, and nothing proves that it is the sender's."""
        connection.sendall(encrypt(response("Connection: close\r\n", b"a" * 500)))

    def until_close_notified(connection, encrypt, close_notify):
        connection.sendall(encrypt(response("Connection: close\r\n", b"a" * 500)) + close_notify())

    def until_reset(connection, encrypt, _):
        connection.sendall(encrypt(response("Connection: close\r\n", b"a" * 500)))
        time.sleep(0.1)
        abort(connection)

    def trickling_record(connection, encrypt, _):
        for byte in encrypt(response("Content-Length: 1000\r\n", b"a" * 1000)):
            connection.sendall(bytes([byte]))
            time.sleep(0.02)

    def closes_after_request(connection, encrypt, _):
        pass

    for respond in (
        cut_length, cut_length_notified, cut_chunks, cut_record, cut_head, corrupt_record, corrupt_head, plaintext_response,
        until_close, until_close_notified, until_reset, trickling_record, closes_after_request,
    ):
        name = respond.__name__.replace("_", "-")
        responding(name, respond)
        responding(name + "-1.2", respond, ssl.TLSVersion.TLSv1_2)
    return ports
