# SPDX-License-Identifier: Apache-2.0
"""What the servers have seen, and the HTTP server through which the tests ask for it."""

import collections
import http.server
import json
import threading
import urllib.parse


class Log:
    """Counts by name, and lists of lines by name; any thread may use it."""

    def __init__(self):
        self.lock = threading.Lock()
        self.counts = collections.Counter()
        self.lines = collections.defaultdict(list)

    def count(self, name):
        """Adds one, and returns the new count."""
        with self.lock:
            self.counts[name] += 1
            return self.counts[name]

    def add(self, name, line):
        with self.lock:
            self.lines[name].append(line)

    def entry(self, name):
        with self.lock:
            return {"count": self.counts[name], "lines": self.lines[name]}


def start(log):
    """Serves `GET /NAME` with the count and the lines of a name.

    Returns: The port.
    """

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            body = json.dumps(log.entry(urllib.parse.unquote(self.path[1:]))).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_port
