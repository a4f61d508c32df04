#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Starts the servers that the tests of a transport need, and runs a command with them.

usage: run.py COMMAND…

The command finds in ALMANAC_TEST_SERVERS, as JSON, the folder with the certificates and the ports by name. The exit status
is the command's, or 1 if the command left out a behaviour of the servers: then tests did not run.
"""

import contextlib
import http.server
import json
import os
import pathlib
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time

import http2_server
import log
import proxies
import tls_kept
import tls_servers

HERE = pathlib.Path(__file__).parent


class Echo(http.server.BaseHTTPRequestHandler):
    """Returns the body of a request, for nginx to pass on."""

    protocol_version = "HTTP/1.1"

    def do_POST(self):
        if "Content-Length" in self.headers:
            body = self.rfile.read(int(self.headers["Content-Length"]))
        else:
            body = b""
            while size := int(self.rfile.readline(), 16):
                body += self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("X-Method", self.command)
        self.end_headers()
        self.wfile.write(body)

    do_PUT = do_PATCH = do_POST

    def log_message(self, *_):
        pass


class EchoServer(http.server.ThreadingHTTPServer):
    request_queue_size = 256


def free_ports(names, stack):
    """A port for each name, in IPv6 where the name ends with 6. All are held until all are found.

    The same port of the other family stays closed for as long as `stack` lives, so that "localhost" leads to one server only.
    """
    addresses = {4: (socket.AF_INET, "127.0.0.1"), 6: (socket.AF_INET6, "::1")}
    ports = {}
    with contextlib.ExitStack() as probes:
        for name in names:
            mine, other = (6, 4) if name.endswith("6") else (4, 6)
            while name not in ports:
                probe = probes.enter_context(socket.socket(addresses[mine][0]))
                probe.bind((addresses[mine][1], 0))
                port = probe.getsockname()[1]
                closed = stack.enter_context(socket.socket(addresses[other][0]))
                try:
                    closed.bind((addresses[other][1], port))
                    ports[name] = port
                except OSError:
                    pass  # taken by another process
    return ports


def start_nginx(folder, echo, stack):
    """Returns: The process, and the ports by name."""
    files = folder / "files"
    files.mkdir()
    (files / "large").write_bytes(b"".join(b"line %d\n" % n for n in range(120_000))[: 1 << 20])
    text = (HERE / "nginx.conf").read_text()
    names = set(re.findall(r"\$\{([^}]+)\}", text)) - {"folder", "echo"}
    ports = free_ports(names, stack)
    for name, value in {**ports, "folder": folder, "echo": echo}.items():
        text = text.replace("${" + name + "}", str(value))
    (folder / "nginx.conf").write_text(text)
    process = subprocess.Popen(["nginx", "-p", folder, "-c", folder / "nginx.conf", "-e", folder / "nginx-error.log"])
    for _ in range(500):
        try:
            socket.create_connection(("127.0.0.1", ports["http"])).close()
            return process, ports
        except OSError:
            time.sleep(0.02)
            if process.poll() is not None:
                break
    process.kill()
    sys.exit("nginx does not start:\n" + (folder / "nginx-error.log").read_text())


def with_authorities(command, authorities):
    """The command, in a view of the file system in which the system trusts `authorities` alone, where that is allowed."""
    system = pathlib.Path("/etc/ssl/certs")
    mount = ["sh", "-c", f'mount --bind "{authorities}" {system} && exec "$@"', "sh"]
    for unshare in (["unshare", "--mount"], ["unshare", "--map-root-user", "--mount"]):
        try:
            if system.is_dir() and subprocess.run([*unshare, *mount, "true"], capture_output=True).returncode == 0:
                return [*unshare, *mount, "env", "ALMANAC_TEST_AUTHORITIES=1", *command]
        except OSError:
            pass
    return command


def missing(seen):
    """What the tests did not ask for."""
    names = ["http2/" + name for name in http2_server.behaviours]
    return [name for name in names if not seen.entry(name)["count"]]


def main(command):
    # A socket that is bound and does not listen keeps its port closed.
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack, socket.socket() as closed:
        folder = pathlib.Path(folder)
        subprocess.run([HERE / "certificates.sh", folder], check=True)
        seen = log.Log()
        echo = EchoServer(("127.0.0.1", 0), Echo)
        threading.Thread(target=echo.serve_forever, daemon=True).start()
        nginx, ports = start_nginx(folder, echo.server_port, stack)
        try:
            ports |= tls_servers.start(folder, seen)
            ports |= tls_kept.start(folder, seen)
            ports |= http2_server.start(folder, seen)
            ports |= proxies.Proxies(folder, seen, ports["http"], ports["https"]).ports
            ports["log"] = log.start(seen)
            closed.bind(("127.0.0.1", 0))
            ports["closed"] = closed.getsockname()[1]
            servers = json.dumps({"folder": str(folder), "ports": ports})
            command = with_authorities(command, folder / "system-authorities")
            status = subprocess.run(command, env={**os.environ, "ALMANAC_TEST_SERVERS": servers}, check=False).returncode
        finally:
            nginx.terminate()
            nginx.wait()
        if status == 0 and (names := missing(seen)):
            sys.exit("Tests did not run: nothing asked for " + ", ".join(names))
        return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
