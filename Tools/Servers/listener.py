# SPDX-License-Identifier: Apache-2.0
"""Accepts connections, each in a thread of its own."""

import socket
import ssl
import threading


def listen(serve, host="127.0.0.1"):
    """Calls `serve(connection)` for every connection, which ends with the call.

    Returns: The port.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.create_server((host, 0), family=family, backlog=256)

    def run(connection):
        with connection:
            try:
                connection.settimeout(20)
                serve(connection)
            except (OSError, ValueError):
                pass  # the client went away, as it should from a server like this

    def accept():
        while True:
            connection, _ = listening.accept()
            threading.Thread(target=run, args=(connection,), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    return listening.getsockname()[1]


def context(folder, protocols=("http/1.1",), version=None, requires_client=False):
    """The TLS settings of a server, for one version of TLS or any, and with or without a client's certificate."""
    result = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    result.load_cert_chain(f"{folder}/good.pem", f"{folder}/good.key")
    result.set_alpn_protocols(list(protocols))
    if version:
        result.minimum_version = result.maximum_version = version
    if requires_client:
        result.verify_mode = ssl.CERT_REQUIRED
        result.load_verify_locations(f"{folder}/ca.pem")
    return result


def client_name(tls):
    """The name in the client's certificate."""
    return dict(x[0] for x in tls.getpeercert()["subject"])["commonName"]


def read_head(connection):
    """The head of a request as text, and what came behind it; empty if the client went away."""
    data = b""
    while b"\r\n\r\n" not in data:
        piece = connection.recv(65536)
        if not piece:
            return "", b""
        data += piece
    head, rest = data.split(b"\r\n\r\n", 1)
    return head.decode("latin-1"), rest


def abort(connection):
    """Makes closing the connection send a reset."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
