# SPDX-License-Identifier: Apache-2.0
"""The grants of the server on Authlib beside code and refresh, and clients that authenticate by an assertion.

Every class has the server as `storage`.
"""

import dataclasses

import joserfc.jwk
from authlib.oauth2.rfc6749 import grants
from authlib.oauth2.rfc7523 import JWTBearerClientAssertion, JWTBearerGrant
from authlib.oauth2.rfc8628 import DEVICE_CODE_GRANT_TYPE, DeviceCodeGrant

#: What Authlib calls both client_secret_jwt and private_key_jwt.
ASSERTION = JWTBearerClientAssertion.CLIENT_AUTH_METHOD
METHODS = ["none", "client_secret_basic", "client_secret_post", ASSERTION]
TYPES = ["client_credentials", DEVICE_CODE_GRANT_TYPE, JWTBearerGrant.GRANT_TYPE]


def generated_key(algorithm, name):
    """A private key that fits an algorithm of JWS."""
    options = {"kid": name, "use": "sig", "alg": algorithm}
    if algorithm[:2] in ("RS", "PS"):
        return joserfc.jwk.RSAKey.generate_key(2048, options)
    if algorithm[:2] == "ES":
        return joserfc.jwk.ECKey.generate_key({"256": "P-256", "384": "P-384", "512": "P-521"}[algorithm[2:]], options)
    return joserfc.jwk.OKPKey.generate_key("Ed25519", options)


class ClientAssertion(JWTBearerClientAssertion):
    def get_audiences(self):
        return [self.storage.issuer, self.storage.issuer + "/token"]

    def validate_jti(self, claims, jti):
        is_new = jti not in self.storage.assertion_ids
        self.storage.assertion_ids.add(jti)
        return is_new

    def resolve_client_public_key(self, client):
        if client.method == "client_secret_jwt":
            return joserfc.jwk.OctKey.import_key(client.secret)
        return joserfc.jwk.KeySet.import_key_set({"keys": client.keys})

    def process_assertion_claims(self, assertion, key):
        claims = super().process_assertion_claims(assertion, key)
        self.storage.assertions.append(claims)
        return claims


class ClientGrant(grants.ClientCredentialsGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = METHODS[1:]


class BearerGrant(JWTBearerGrant):
    def get_audiences(self):
        return [self.storage.issuer]

    def resolve_issuer_client(self, issuer):
        return self.storage.clients.get(issuer)

    def resolve_client_public_key(self, client):
        return joserfc.jwk.KeySet.import_key_set({"keys": client.keys})

    def authenticate_user(self, subject):
        return self.storage.user if subject in (self.storage.user.id, self.storage.user.email) else None

    def has_granted_permission(self, client, user):
        return True


class Record:
    """Authlib asks a record for its fields by methods, such as `get_scope`."""

    def __getattr__(self, name):
        if not name.startswith("get_"):
            raise AttributeError(name)
        return lambda: getattr(self, name.removeprefix("get_"), None)


@dataclasses.dataclass
class Device(Record):
    client_id: str
    scope: str
    user_code: str
    #: What the user has decided, or the server's error.
    answer: str = ""

    def is_expired(self):
        return self.answer == "expired_token"


class DeviceGrant(DeviceCodeGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = METHODS

    def query_device_credential(self, device_code):
        device = self.storage.devices.get(device_code)
        answers = self.storage.device_answers
        if device:
            device.answer = answers.pop(0) if len(answers) > 1 else answers[0]
        return device

    def query_user_grant(self, user_code):
        device = next(device for device in self.storage.devices.values() if device.user_code == user_code)
        return (self.storage.user, device.answer == "allow") if device.answer in ("allow", "deny") else None

    def should_slow_down(self, device):
        return device.answer == "slow_down"
