# SPDX-License-Identifier: Apache-2.0
"""The endpoints of the server on Authlib beside authorization, token, revocation and userinfo, and signed requests.

Every class has the server as `storage`. Pushed requests are not in Authlib; the client's authentication there is its own, and so is
the reading of what was pushed.
"""

import dataclasses
import secrets
import urllib.parse

import joserfc.jwk
from authlib.consts import default_json_headers
from authlib.oauth2.rfc6749.requests import BasicOAuth2Payload
from authlib.oauth2.rfc7591 import ClientRegistrationEndpoint
from authlib.oauth2.rfc7592 import ClientConfigurationEndpoint
from authlib.oauth2.rfc7662 import IntrospectionEndpoint
from authlib.oauth2.rfc8628 import DeviceAuthorizationEndpoint
from authlib.oauth2.rfc9101 import JWTAuthenticationRequest

from authlib_grants import METHODS, Device

ROUTES = [
    ("/introspect", "introspection", ["POST"]), ("/device_authorization", "device_authorization", ["POST"]),
    ("/register", "client_registration", ["POST"]),
    ("/register/<identifier>", "client_configuration", ["GET", "PUT", "DELETE"]), ("/push", "pushed_request", ["POST"]),
]


def metadata(server):
    """What the server's metadata say of the endpoints."""
    return {
        "introspection_endpoint": server.issuer + "/introspect",
        "device_authorization_endpoint": server.issuer + "/device_authorization",
        "registration_endpoint": server.issuer + "/register",
        "pushed_authorization_request_endpoint": server.issuer + "/push",
        "require_signed_request_object": server.requires_signed_requests,
        "request_object_signing_alg_values_supported": ["RS256", "ES256"],
    }


class Introspection(IntrospectionEndpoint):
    CLIENT_AUTH_METHODS = METHODS[1:]

    def check_permission(self, token, client, request):
        return True

    def query_token(self, text, hint):
        token = self.storage.token(text)
        if token and text == token.refresh_token:
            return dataclasses.replace(token, is_access_revoked=token.is_refresh_revoked)
        return token

    def introspect_token(self, token):
        return {
            "client_id": token.client.client_id, "scope": token.scope, "sub": token.user.id, "iss": self.storage.issuer,
            "aud": "reports", "username": None}


class DeviceAuthorization(DeviceAuthorizationEndpoint):
    CLIENT_AUTH_METHODS = METHODS

    def get_verification_uri(self):
        return self.storage.issuer + "/device"

    def save_device_credential(self, client_id, scope, data):
        self.storage.devices[data["device_code"]] = Device(client_id, scope, data["user_code"])


class _Registration:
    def get_server_metadata(self):
        # Any way to authenticate, unlike the server's first client.
        names = ("scopes_supported", "response_types_supported", "grant_types_supported")
        return {name: self.storage.metadata()[name] for name in names}

    def generate_client_registration_info(self, client, request):
        return {
            "registration_client_uri": f"{self.storage.issuer}/register/{client.client_id}",
            "registration_access_token": client.registration_token}


class Registration(_Registration, ClientRegistrationEndpoint):
    def authenticate_token(self, request):
        return "everyone may register"

    def generate_client_info(self, request):
        info = super().generate_client_info(request)
        if request.payload.data.get("token_endpoint_auth_method") in ("none", "private_key_jwt"):
            del info["client_secret"], info["client_secret_expires_at"]
        return info

    def save_client(self, info, metadata, request):
        first = self.storage.client
        client = dataclasses.replace(
            first, client_id=info["client_id"], secret=info.get("client_secret"),
            method=metadata["token_endpoint_auth_method"], keys=metadata.get("jwks", {}).get("keys", []),
            client_metadata=metadata, registration_token=secrets.token_urlsafe(24))
        self.storage.clients[client.client_id] = client
        return client


class _RegistrationToken:
    def __init__(self, text):
        self.text = text

    def check_client(self, client):
        return secrets.compare_digest(client.registration_token or "", self.text)


class Configuration(_Registration, ClientConfigurationEndpoint):
    def authenticate_token(self, request):
        scheme, _, text = request.headers.get("Authorization", "").partition(" ")
        return _RegistrationToken(text) if scheme == "Bearer" and text else None

    def authenticate_client(self, request):
        return self.storage.clients.get(urllib.parse.urlsplit(request.uri).path.rsplit("/", 1)[-1])

    def revoke_access_token(self, request, token):
        pass  # it went with the client

    def check_permission(self, client, request):
        return True

    def delete_client(self, client, request):
        del self.storage.clients[client.client_id]

    def update_client(self, client, metadata, request):
        client.client_metadata = metadata
        return client


class PushedRequest:
    ENDPOINT_NAME = "pushed_request"

    def __init__(self, server):
        self.server = server

    def create_endpoint_request(self, request):
        return self.server.create_oauth2_request(request)

    def __call__(self, request):
        self.server.authenticate_client(request, METHODS, self.ENDPOINT_NAME)
        reference = "urn:ietf:params:oauth:request_uri:" + secrets.token_urlsafe(24)
        self.storage.pushed[reference] = request.form.to_dict()
        return 201, {"request_uri": reference, "expires_in": 60}, default_json_headers


class RequestObjects(JWTAuthenticationRequest):
    def parse_authorization_request(self, protocol, request):
        pushed = self.storage.pushed.get(request.payload.data.get("request_uri"))
        if pushed is not None and "request" not in pushed:
            request.payload = BasicOAuth2Payload(pushed)
        else:
            super().parse_authorization_request(protocol, request)

    def resolve_client_public_key(self, client):
        return joserfc.jwk.KeySet.import_key_set({"keys": client.keys})

    def validate_request_uri(self, reference, client):
        return reference in self.storage.pushed

    def get_request_object(self, reference):
        return self.storage.pushed[reference]["request"]

    def get_server_metadata(self):
        return self.storage.metadata()

    def get_client_require_signed_request_object(self, client):
        return self.storage.requires_signed_requests


ENDPOINTS = [Introspection, DeviceAuthorization, Registration, Configuration, PushedRequest]
