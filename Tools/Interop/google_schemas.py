# SPDX-License-Identifier: Apache-2.0
"""Checks every response against the schemas of the client's discovery document."""

import datetime
import re

from googleapiclient.http import HttpRequest

from table import check

TYPES = {"string": str, "boolean": bool, "integer": int, "array": list, "object": dict}
#: What the schemas leave open, and every resource of these kinds has.
ALWAYS = {
    "calendar#event": {"id", "etag", "status"},
    "calendar#events": {"etag", "items", "updated", "timeZone", "accessRole"},
    "calendar#calendarListEntry": {"id", "etag"}, "calendar#calendarList": {"etag", "items"},
    "calendar#calendar": {"id", "etag", "summary", "timeZone"}, "calendar#aclRule": {"id", "etag", "role", "scope"},
    "calendar#acl": {"etag", "items"}, "calendar#setting": {"id", "etag", "value"},
    "calendar#settings": {"etag", "items"}, "calendar#freeBusy": {"timeMin", "timeMax", "calendars"},
    "calendar#colors": {"updated", "calendar", "event"},
    "api#channel": {"id", "resourceId", "resourceUri", "expiration"}}


def checked_requests(document):
    """Returns the class of the client's requests, with a check of the response to each."""
    resources = document["resources"].values()
    methods = {method["id"]: method for resource in resources for method in resource["methods"].values()}

    class CheckedRequest(HttpRequest):
        def execute(self, *arguments, **options):
            response = super().execute(*arguments, **options)
            schema = methods[self.methodId].get("response")
            if schema is None:
                check(response == "", f"{self.methodId} has a body: {response}")
            else:
                _Checker(document["schemas"], "fields=" not in self.uri).value(response, schema, self.methodId)
            return response

    return CheckedRequest


class _Checker:
    def __init__(self, schemas, is_whole):
        self.schemas = schemas
        #: Whether all fields were requested.
        self.is_whole = is_whole

    def value(self, value, schema, place):
        if "$ref" in schema:
            schema = self.schemas[schema["$ref"]]
        kind = schema["type"]
        if kind == "any":
            return
        check(type(value) is TYPES[kind], f"{place} is no {kind}: {value!r}")
        if kind == "array":
            for element in value:
                self.value(element, schema["items"], place + "[]")
            names = [element["id"] for element in value if isinstance(element, dict) and "id" in element]
            check(len(set(names)) == len(names), f"{place} has an identifier twice")
        elif kind == "object":
            self.fields(value, schema, place)
        elif kind == "string":
            self.text(value, schema, place)

    def fields(self, value, schema, place):
        known = schema.get("properties", {})
        for name, member in value.items():
            expected = known.get(name) or schema.get("additionalProperties")
            check(expected, f"{place}.{name} is not in the discovery document")
            self.value(member, expected, f"{place}.{name}")
        kind = known.get("kind", {}).get("default")
        if kind and self.is_whole:
            missing = ({"kind"} | ALWAYS[kind]) - set(value)
            check(not missing, f"{place} has no {', '.join(sorted(missing))}")
            check(value["kind"] == kind, f"{place} is {value['kind']} instead of {kind}")

    @staticmethod
    def text(value, schema, place):
        if schema.get("format") == "date-time":
            check(datetime.datetime.fromisoformat(value).tzinfo, f"{place} has no offset: {value}")
        elif schema.get("format") == "date":
            datetime.date.fromisoformat(value)
        elif schema.get("format") == "int64":
            check(re.fullmatch(r"-?\d+", value), f"{place} is no number: {value}")
        check(value in schema.get("enum", [value]), f"{place} is {value}, which is not in the discovery document")
