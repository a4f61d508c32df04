# SPDX-License-Identifier: Apache-2.0
"""An application of WSGI on a free loopback port, for as long as a block runs."""

import threading

import werkzeug.serving


class LocalServer:
    def __init__(self, application):
        self._http = werkzeug.serving.make_server("127.0.0.1", 0, application, threaded=True)
        self.url = f"http://127.0.0.1:{self._http.port}"
        # The argument is the seconds between two checks for a shutdown.
        self._thread = threading.Thread(target=self._http.serve_forever, args=[0.02])

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *error):
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()
