# SPDX-License-Identifier: Apache-2.0
"""What GoogleCredentials sends beside what google-auth sends, for every kind of credential.

Both obtain a token by way of one server that records their requests and answers for Google. The requests have to be the same: URL,
method, body, and the fields that mean something. What differs by nature is made the same first: the times and signatures of a JWT,
the order of parameters and members, and members without a value."""

import base64
import functools
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import urllib.parse

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from werkzeug.wrappers import Request, Response

from local_server import LocalServer
from table import Failure, Row, check

TIMEOUT = 25
SCOPE = "https://www.googleapis.com/auth/calendar.readonly"
SCOPES = [SCOPE, "https://www.googleapis.com/auth/cloud-platform"]
SERVICE = "https://reports-abc.a.run.app"
ROBOT, TARGET, MIDDLE = (f"{name}@project.iam.gserviceaccount.com" for name in ("robot", "target", "middle"))
ACCOUNTS = "https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/"
POOL = "//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/pool/providers/provider"
STAFF = "//iam.googleapis.com/locations/global/workforcePools/staff/providers/provider"
JWT = "urn:ietf:params:oauth:token-type:jwt"
#: The fields of a request that mean something to a server.
FIELDS = ("authorization", "content-type", "metadata-flavor", "x-workload")
#: What google-auth asks beside what is compared: facts about the account and the project, and where it may be used.
EXTRA = ("/?recursive=true", "/computeMetadata/v1/project/project-id", "/universe/universe-domain", "allowedLocations",
         "https://cloudresourcemanager.googleapis.com")


def encoded(value):
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


def decoded(part):
    return json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))


ID_TOKEN = f"{encoded({'alg': 'RS256'})}.{encoded({'aud': SERVICE, 'exp': 4_000_000_000})}.c2ln"
#: What Google signs for an account.
SIGNED = "signed.by.google"


class Recorder(LocalServer):
    """Answers for Google's servers, and keeps the requests."""

    def __init__(self):
        super().__init__(self.respond)
        self.requests = []

    @Request.application
    def respond(self, request):
        body = request.get_data(as_text=True)
        fields = {name: request.headers[name] for name in FIELDS if name in request.headers}
        url = request.headers["X-Original-Origin"] + request.environ["REQUEST_URI"]
        self.requests.append((request.method, url, fields, body))
        answer = ANSWERS[next(part for part in ANSWERS if part in url)]
        answer = answer(body) if callable(answer) else answer
        text, kind = (answer, "text/plain") if isinstance(answer, str) else (json.dumps(answer), "application/json")
        return Response(text, mimetype=kind, headers={"Metadata-Flavor": "Google"})


def token_answer(body):
    assertion = urllib.parse.parse_qs(body).get("assertion")
    if assertion and assertion[0] != SIGNED and "target_audience" in decoded(assertion[0].split(".")[1]):
        return {"id_token": ID_TOKEN}
    return {"access_token": "access-1", "expires_in": 3599, "token_type": "Bearer"}


#: The answers, by a part of the URL; the first that fits counts.
ANSWERS = {
    "oauth2.googleapis.com/token": token_answer,
    "sts.googleapis.com/v1/token": {
        "access_token": "exchanged-1", "issued_token_type": "urn:ietf:params:oauth:token-type:access_token",
        "token_type": "Bearer", "expires_in": 3599},
    ":generateAccessToken": lambda _: {
        "accessToken": "impersonated-1",
        "expireTime": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 3600))},
    ":generateIdToken": {"token": ID_TOKEN},
    ":signJwt": {"keyId": "key-2", "signedJwt": SIGNED},
    "/default/token": {"access_token": "metadata-1", "expires_in": 3599, "token_type": "Bearer"},
    "/default/identity": ID_TOKEN,
    "/?recursive=true": {"email": ROBOT, "scopes": [SCOPE], "aliases": ["default"]},
    "project-id": "project",
    "ci.example/token": {"value": "workload-token"},
    "": {},
}


def jwt(text):
    """A JWT without its signature, and with its times as what they are beside each other."""
    header, claims, _ = text.split(".")
    header, claims = decoded(header), decoded(claims)
    check(abs(claims["iat"] - time.time()) < 60, "the JWT is not issued now")
    claims["exp"] -= claims.pop("iat")
    return {"header": header, "claims": claims}


def parameter(name, value):
    if name == "assertion" and value != SIGNED:
        return jwt(value)
    if name == "options":
        return json.loads(urllib.parse.unquote(value))
    return value


def member(name, value):
    if name == "payload":
        claims = json.loads(value)
        claims["exp"] -= claims.pop("iat")
        return claims
    return value


def content(fields, body):
    kind = fields.get("content-type", "").split(";")[0]
    if kind == "application/x-www-form-urlencoded":
        pairs = urllib.parse.parse_qsl(body, keep_blank_values=True, strict_parsing=True)
        check(len(dict(pairs)) == len(pairs), "a parameter is repeated")
        return {name: parameter(name, value) for name, value in pairs}
    if kind == "application/json":
        return {name: member(name, value) for name, value in json.loads(body).items() if value not in (None, [])}
    return body


def normalised(requests):
    """The requests as they are compared."""
    result = []
    for method, url, fields, body in requests:
        if not any(extra in url for extra in EXTRA):
            parts = urllib.parse.urlsplit(url)
            result.append({
                "method": method, "url": f"{parts.scheme}://{parts.netloc}{parts.path}",
                "query": sorted(urllib.parse.parse_qsl(parts.query, keep_blank_values=True)), "fields": fields,
                "body": content(fields, body)})
    return result


# The jobs: what the environment holds, and what is wanted.

def private_key():
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()).decode()


@functools.cache
def key_file():
    return {
        "type": "service_account", "project_id": "project", "private_key_id": "key-1", "private_key": private_key(),
        "client_email": ROBOT, "client_id": "1", "token_uri": "https://oauth2.googleapis.com/token",
        "universe_domain": "googleapis.com"}


def user_file():
    return {
        "type": "authorized_user", "client_id": "client-1", "client_secret": "s/ +&é", "refresh_token": "1//refresh",
        "quota_project_id": "project", "account": "", "universe_domain": "googleapis.com"}


def external(source, **members):
    return {
        "type": "external_account", "audience": POOL, "subject_token_type": JWT, "universe_domain": "googleapis.com",
        "token_url": "https://sts.googleapis.com/v1/token", "credential_source": source} | members


def impersonated(source, **members):
    return {
        "type": "impersonated_service_account", "delegates": [], "source_credentials": source,
        "service_account_impersonation_url": f"{ACCOUNTS}{TARGET}:generateAccessToken"} | members


TEXT_FILE = {"file": "FOLDER/token.txt"}
JSON_FORMAT = {"type": "json", "subject_token_field_name": "value"}
IMPERSONATION = {"service_account_impersonation_url": f"{ACCOUNTS}{TARGET}:generateAccessToken"}


def program(**members):
    return {"executable": {"command": "FOLDER/program 'a b' \"c\"", "timeout_millis": 10000} | members}


def target(**members):
    return {"principal": TARGET, "delegates": [], "subject": None, "lifetime": 3600} | members


#: What is compared: the content of the file of credentials, where it is, and what differs from a job for one scope.
JOBS = {
    "service account": (key_file, {}),
    "service account, several scopes": (key_file, {"scopes": SCOPES}),
    "service account for a user": (key_file, {"subject": "ada@example.com"}),
    "service account, ID token": (key_file, {"audience": SERVICE}),
    "service account, self-signed token": (key_file, {"isSelfSigned": True, "scopes": SCOPES}),
    "user": (user_file, {}),
    "user, in gcloud's own file": (user_file, {"isWellKnown": True}),
    "metadata server": (None, {}),
    "metadata server, several scopes": (None, {"scopes": SCOPES}),
    "metadata server, ID token": (None, {"audience": SERVICE}),
    "workload, token of a file": (lambda: external(TEXT_FILE), {}),
    "workload, token in the JSON of a file": (
        lambda: external({"file": "FOLDER/token.json", "format": JSON_FORMAT}), {"scopes": SCOPES}),
    "workload, token of a URL": (
        lambda: external({
            "url": "https://ci.example/token?for=google", "headers": {"X-Workload": "7"}, "format": JSON_FORMAT}), {}),
    "workload, token of a program": (lambda: external(program()), {}),
    "workload, token that a program kept": (lambda: external(program(output_file="FOLDER/kept.json")), {}),
    "workload that impersonates": (lambda: external(TEXT_FILE, **IMPERSONATION), {"scopes": SCOPES}),
    "workload that impersonates for 15 minutes": (
        lambda: external(TEXT_FILE, **IMPERSONATION, service_account_impersonation={"token_lifetime_seconds": 900}), {}),
    "workload that impersonates, token of a program": (lambda: external(program(), **IMPERSONATION), {}),
    "workforce user of a project": (
        lambda: external(TEXT_FILE, audience=STAFF, workforce_pool_user_project="42"), {}),
    "workforce user of a client": (
        lambda: external(
            TEXT_FILE, audience=STAFF, workforce_pool_user_project="42", client_id="client+1", client_secret="s/ +&"),
        {}),
    "impersonated account, by a user": (lambda: impersonated(user_file()), {}),
    "impersonated account, by a service account": (lambda: impersonated(key_file()), {"scopes": SCOPES}),
    "impersonated account, with a delegate": (
        lambda: impersonated(user_file(), delegates=["projects/-/serviceAccounts/" + MIDDLE]), {}),
    "impersonated account, ID token": (lambda: impersonated(user_file()), {"audience": SERVICE}),
    "impersonation in code, with a delegate and a lifetime": (
        key_file, {"impersonation": target(delegates=[MIDDLE], lifetime=600)}),
    "impersonation in code, for a user": (key_file, {"impersonation": target(subject="ada@example.com")}),
    "impersonation in code, ID token": (key_file, {"impersonation": target(), "audience": SERVICE}),
}

#: A program of a workload, whose token says what it was told. The account to impersonate is left out: google-auth forgets it there, though
#: AIP-4117 has it.
PROGRAM = """#!/bin/sh
told=$(printf '%s;' "$@"; env | grep '^GOOGLE_EXTERNAL_ACCOUNT' | grep -vE '_(ID|IMPERSONATED_EMAIL)=' | sort | tr '\\n' ';')
printf '{"version":1,"success":true,"token_type":"%s","id_token":"%s"}' "$GOOGLE_EXTERNAL_ACCOUNT_TOKEN_TYPE" "$told"
"""


def prepare(folder, make, changes):
    """Writes the files of a job, and returns it."""
    write = lambda name, text: pathlib.Path(folder, name).write_text(text.replace("FOLDER", folder))
    write("token.txt", "workload-token")
    write("token.json", json.dumps({"value": "workload-token"}))
    write("kept.json", json.dumps({
        "version": 1, "success": True, "token_type": JWT, "id_token": "kept-token", "expiration_time": 4_000_000_000}))
    write("program", PROGRAM)
    pathlib.Path(folder, "program").chmod(0o700)
    variables = {
        "HOME": folder, "PATH": os.environ["PATH"], "GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES": "1",
        # Or google-auth requests a token to ask for it.
        "GOOGLE_CLOUD_PROJECT": "project"}
    if changes.get("isWellKnown"):
        pathlib.Path(folder, ".config/gcloud").mkdir(parents=True)
        write(".config/gcloud/application_default_credentials.json", json.dumps(make()))
    elif make:
        write("account.json", json.dumps(make()))
        variables["GOOGLE_APPLICATION_CREDENTIALS"] = folder + "/account.json"
    job = {"variables": variables, "scopes": [SCOPE], "subject": None, "audience": None, "impersonation": None,
           "isSelfSigned": False}
    return job | {name: value for name, value in changes.items() if name != "isWellKnown"}


def obtain(command, job):
    """Runs one side; returns the requests, and the token."""
    with Recorder() as server:
        result = subprocess.run(
            [*command, server.url], input=json.dumps(job).encode(), env=job["variables"] | {"NO_PROXY": "127.0.0.1"},
            capture_output=True, timeout=TIMEOUT)
        errors = result.stderr.decode().strip().splitlines()
        check(result.returncode == 0, f"{pathlib.Path(command[-1]).name} failed: {errors[-1] if errors else ''}")
        token = result.stdout.decode().strip()
        return normalised(server.requests), jwt(token) if job["isSelfSigned"] else token


def compare(program, make, changes):
    with tempfile.TemporaryDirectory(prefix="almanac-interop.") as folder:
        job = prepare(folder, make, changes)
        steps = pathlib.Path(__file__).with_name("google_auth_steps.py")
        theirs = obtain([sys.executable, str(steps)], job)
        ours = obtain([program], job)
        if ours != theirs:
            raise Failure(difference(ours, theirs))
        check(ours[0] or job["isSelfSigned"], "nothing was sent")


def difference(ours, theirs):
    """The first thing that differs, without anything secret: it is all made up."""
    for own, other in zip(ours[0], theirs[0]):
        for name in own:
            if own[name] != other[name]:
                return f"{own['url']}: {name} is {own[name]!r}, google-auth's {other[name]!r}"
    urls = [[request["url"] for request in side[0]] for side in (ours, theirs)]
    return f"requests {urls[0]}, google-auth's {urls[1]}; tokens {ours[1]!r} and {theirs[1]!r}"


def rows(program):
    for text, (make, changes) in JOBS.items():
        yield Row("GoogleCredentials ↔ google-auth", text, functools.partial(compare, program, make, changes))
