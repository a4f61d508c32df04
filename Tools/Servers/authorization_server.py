# SPDX-License-Identifier: Apache-2.0
"""An authorization server whose client authenticates by its certificate (RFC 8705): its metadata, and its token endpoint."""

import json
import urllib.parse

from listener import client_name, context, listen, read_head


def send(tls, status, members):
    body = json.dumps(members).encode()
    head = f"HTTP/1.1 {status} Status\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: {len(body)}\r\n\r\n"
    tls.sendall(head.encode() + body)


def start(folder):
    """Returns: The port of the metadata, by name."""
    asking = context(folder, requires_client=True)

    def token(connection):
        with asking.wrap_socket(connection, server_side=True) as tls:
            head, body = read_head(tls)
            fields = {name.lower(): value for name, _, value in (line.partition(": ") for line in head.split("\r\n")[1:])}
            while len(body) < int(fields.get("content-length", 0)):
                body += tls.recv(65536)
            form = urllib.parse.parse_qs(body.decode())
            # The identifier and nothing else: the certificate is the credential.
            is_client = form.get("client_id") == [client_name(tls)] and not form.keys() & {"client_secret", "client_assertion"}
            if head.startswith("POST /token ") and is_client and "authorization" not in fields:
                send(tls, 200, {"access_token": "token", "token_type": "Bearer", "expires_in": 3600})
            else:
                send(tls, 401, {"error": "invalid_client"})

    token_port, plain = listen(token), context(folder)
    ports = {}

    def metadata(connection):
        with plain.wrap_socket(connection, server_side=True) as tls:
            read_head(tls)
            issuer = f"https://localhost:{ports['authorization-server']}"
            send(tls, 200, {
                "issuer": issuer, "authorization_endpoint": f"{issuer}/authorize", "token_endpoint": f"{issuer}/token",
                "mtls_endpoint_aliases": {"token_endpoint": f"https://localhost:{token_port}/token"},
                "token_endpoint_auth_methods_supported": ["tls_client_auth"], "response_types_supported": ["code"],
                "code_challenge_methods_supported": ["S256"]})

    ports["authorization-server"] = listen(metadata)
    return ports
