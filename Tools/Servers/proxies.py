# SPDX-License-Identifier: Apache-2.0
"""An HTTP proxy and a SOCKS proxy that lead every name under origin.test and localhost to a server of the tests.

What a proxy does to a host stands in its name: `refuse-403-…`, `hang-…`, `garbage-…`, `close-…`, `bomb-…`.
"""

import base64
import re
import select
import socket
import struct
import time

from listener import context, listen, read_head

CREDENTIALS = ("user", "p@ss:word")


def relay(left, right):
    """Copies both ways until a side ends."""
    while True:
        for source in select.select([left, right], [], [], 20)[0] or [None]:
            data = source.recv(65536) if source else b""
            if not data:
                return
            (right if source is left else left).sendall(data)


class Proxies:
    def __init__(self, folder, log, http_port, https_port):
        self.log = log
        self.origins = {80: http_port, 443: https_port}
        settings = context(folder)

        def over_tls(connection):
            with settings.wrap_socket(connection, server_side=True) as tls:
                self.serve(tls)

        self.ports = {
            "proxy": listen(self.serve),
            "proxy-credentials": listen(lambda connection: self.serve(connection, CREDENTIALS)),
            "proxy-tls": listen(over_tls),
            "socks": listen(self.serve_socks),
            "socks-credentials": listen(lambda connection: self.serve_socks(connection, CREDENTIALS)),
        }

    def connect(self, host, port):
        if not host.endswith(("origin.test", ".localhost")):
            raise OSError("unknown host")
        return socket.create_connection(("127.0.0.1", self.origins.get(port, port)))

    # HTTP

    def serve(self, connection, credentials=None):
        head, rest = read_head(connection)
        if not head:
            return
        method, target, _ = head.split("\r\n")[0].split(" ")
        match = re.fullmatch(r"(?:http://)?([^/:]+|\[[^]]+\])(?::(\d+))?(/.*)?", target)
        if not match:
            self.log.add("proxy-malformed", head)
            return self.refuse(connection, 400)
        host, port, path = match[1], int(match[2] or 80), match[3] or "/"
        self.log.add(host, head)
        if credentials:
            expected = "Basic " + base64.b64encode(":".join(credentials).encode()).decode()
            if f"proxy-authorization: {expected}".lower() not in head.lower():
                return self.refuse(connection, 407)
        if match := re.match(r"refuse-(\d+)-", host):
            return self.refuse(connection, int(match[1]))
        if host.startswith("hang-"):
            return connection.recv(1)
        if host.startswith("garbage-"):
            return connection.sendall(b"\0\1\2\3 this is no proxy\r\n\r\n")
        if host.startswith("close-"):
            return None
        if host.startswith("bomb-"):
            connection.sendall(b"HTTP/1.1 200 OK\r\n")
            while True:
                connection.sendall(b"X-Bomb: " + b"a" * 1000 + b"\r\n")
        if host.startswith("endless-"):
            connection.sendall(b"HTTP/1.1 502 Bad Gateway\r\nTransfer-Encoding: chunked\r\n\r\n")
            while True:
                connection.sendall(b"400\r\n" + b"a" * 1024 + b"\r\n")
        try:
            origin = self.connect(host, port)
        except OSError:
            return self.refuse(connection, 502)
        with origin:
            if method == "CONNECT":
                connection.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
                if host.startswith("cut-"):
                    return None
            else:
                fields = [line for line in head.split("\r\n")[1:] if not line.lower().startswith("proxy-")]
                origin.sendall("\r\n".join([f"{method} {path} HTTP/1.1", *fields, "", ""]).encode("latin-1"))
            origin.sendall(rest)
            relay(connection, origin)

    def refuse(self, connection, status):
        extra = 'Proxy-Authenticate: Basic realm="test"\r\n' if status == 407 else ""
        connection.sendall(
            f"HTTP/1.1 {status} Refused\r\n{extra}Content-Length: 8\r\nX-From: proxy\r\n\r\nrefused\n".encode()
        )
        time.sleep(0.05)

    # SOCKS (RFC 1928, RFC 1929)

    def serve_socks(self, connection, credentials=None):
        stream = connection.makefile("rb")
        _, count = stream.read(2)
        methods = stream.read(count)
        wanted = 2 if credentials else 0
        if wanted not in methods:
            return connection.sendall(b"\5\xff")
        connection.sendall(bytes([5, wanted]))
        if credentials:
            stream.read(1)
            given = tuple(stream.read(stream.read(1)[0]).decode() for _ in range(2))
            connection.sendall(bytes([1, given != credentials]))
            if given != credentials:
                return None
        _, _, _, kind = stream.read(4)
        host = stream.read(stream.read(1)[0]).decode() if kind == 3 else socket.inet_ntoa(stream.read(4))
        (port,) = struct.unpack(">H", stream.read(2))
        self.log.add(host, "SOCKS")
        if host.startswith("refuse-"):
            return connection.sendall(b"\5\2\0\1\0\0\0\0\0\0")
        if host.startswith("hang-"):
            return connection.recv(1)
        if host.startswith("garbage-"):
            return connection.sendall(b"garbage that is not SOCKS")
        with self.connect(host, port) as origin:
            connection.sendall(b"\5\0\0\1\0\0\0\0\0\0")
            relay(connection, origin)
