# SPDX-License-Identifier: Apache-2.0
"""The table of the API: schemas, enumerations, methods and scopes, with the names that they have in Swift."""

import json
import pathlib
import re
from dataclasses import dataclass, field

PATH = pathlib.Path(__file__).resolve().parent.parent / "calendar_v3.json"
SCALARS = {
    ("string", None): "String",
    ("string", "color"): "RGBColor",
    ("string", "date"): "CivilDate",
    ("string", "date-time"): "Timestamp",
    ("string", "offset-date-time"): "OffsetDateTime",
    ("string", "int64"): "Int64",
    ("boolean", None): "Bool",
    ("integer", "int32"): "Int",
    ("any", None): "JSONValue",
}
IMPORTS = {"JSONValue": "JSONCoding", "RGBColor": "HexColor", "CivilDate": "Timekeeping", "Timestamp": "Timekeeping", "OffsetDateTime": "Timekeeping"}
# Swift writes these in capitals at the end of a name.
INITIALISMS = re.compile(r"(?<=[a-z])(Id|Uri|Url)$")
# The keys that each method needs.
METHOD_KEYS = ("httpMethod", "path", "doc", "pathParameters", "queryParameters", "scopes")


class TableError(SystemExit):
    """A mistake in the table. The program ends with its message and status 1."""


@dataclass
class Property:
    """A field of a schema, or a parameter of a method."""

    json_name: str
    facts: dict
    type: str  # without the question mark
    element: str  # the type of an element of an array or a map, otherwise that of the value
    kind: str  # scalar, object, array or map
    is_enumeration: bool = False

    @property
    def name(self):
        return self.facts.get("name") or INITIALISMS.sub(lambda found: found[1].upper(), self.json_name)

    @property
    def is_writable(self):
        return self.facts.get("readOnly") is not True and self.json_name not in ("etag", "kind")


@dataclass
class Schema:
    """An object: a schema of the API, or an object nested in one."""

    name: str  # qualified, such as Event.Reminders
    json_name: str
    doc: str
    properties: list[Property] = field(default_factory=list)

    @property
    def rare(self):
        return [p for p in self.properties if p.facts.get("rare")]


@dataclass
class Method:
    """A method of a resource."""

    id: str
    facts: dict
    path_parameters: list[Property]
    required: list[Property]
    optional: list[Property]

    @property
    def resource(self):
        return self.id.split(".")[0]

    @property
    def name(self):
        return self.id.split(".")[1]

    @property
    def http_method(self) -> str:
        return self.facts["httpMethod"]

    @property
    def labelled(self) -> list[tuple[str, Property]]:
        """The required parameters of a request, in the order of a call, each with its label, or "_" for none.

        A call reads as prose: get(id, in: calendar), patch(changes, for: id, in: calendar). The resource itself comes first, followed by
        its parent. In the table, `labels` lists the parameters with other labels, in their order.
        """
        labels = dict(self.facts.get("labels", {}))
        own = self.path_parameters[-1:] if not self.is_collection else []
        for p in own:
            labels.setdefault(p.json_name, "for" if "request" in self.facts else "_")
        for p in self.path_parameters:
            labels.setdefault(p.json_name, "in")
        parameters = {p.json_name: p for p in self.path_parameters + self.required}
        return [(label, parameters[name]) for name, label in labels.items()] + [
            (p.name, p) for p in self.required if p.json_name not in labels]

    @property
    def is_collection(self) -> bool:
        """Whether the path's last parameter identifies the parent of the method's resources instead of one of them."""
        return len(self.path_parameters) < 2 and self.resource in ("acl", "events")

    @property
    def patches(self) -> bool:
        """Whether the body is a patch of the schema instead of a value."""
        return self.http_method == "PATCH"

    @property
    def outcome(self) -> dict:
        """The effect of a POST on the server, or an empty value for one that only reads."""
        return self.facts.get("outcome", {})

    @property
    def writes(self) -> bool:
        return self.http_method in ("PUT", "PATCH", "DELETE") or bool(self.outcome)

    @property
    def deletes(self) -> bool:
        """Whether the resource no longer exists after the method."""
        return self.http_method == "DELETE" or self.outcome.get("gone", False)

    @property
    def is_repeatable(self) -> bool:
        """Whether a request may be retried although an earlier attempt may have been carried out.

        Applying a merge patch again changes nothing. A resource whose identifier is part of the request is not added twice.
        """
        return self.http_method != "POST" or self.facts.get("repeatable", False) or self.deletes or "identified" in self.outcome


class Table:
    def __init__(self, path=PATH):
        self.facts = json.loads(path.read_text())
        self.scopes = self.facts["scopes"]
        self.resources = self.facts["resources"]
        self.enumerations = self.facts["enumerations"]
        self.schemas: dict[str, Schema] = {}
        self.swift_names = {name: facts.get("name", name) for name, facts in self.facts["schemas"].items()}
        for name, facts in self.facts["schemas"].items():
            self._add_schema(self.swift_names[name], name, facts["doc"], facts["properties"], facts.get("objects", {}), "")
        self.methods = [self._method(id, facts) for id, facts in self.facts["methods"].items()]
        for m in self.methods:
            if not (m.writes or m.http_method == "GET" or m.facts.get("repeatable")):
                raise TableError(f"{m.id}: add an `outcome`, or `repeatable` if it only reads")

    def google_name(self, swift_name: str) -> str:
        """Google's name of a schema, or of a nested object, which Google's document names by its path."""
        outer, *inner = swift_name.split(".")
        return self.schemas[outer].json_name + "".join(inner)

    def reading(self, m: Method) -> Method:
        """The method that reads the resource which another one writes at its path."""
        return next(other for other in self.methods if other.http_method == "GET" and other.facts["path"] == m.facts["path"])

    def _add_schema(self, swift_name, json_name, doc, properties, objects, inside):
        schema = Schema(swift_name, json_name, doc)
        for name, facts in properties.items():
            if "properties" in facts:
                path = f"{inside}.{facts['object']}".lstrip(".")
                self._add_schema(f"{swift_name}.{facts['object']}", json_name, objects[path], facts["properties"], objects, path)
            schema.properties.append(self._property(name, facts, swift_name))
        known = self.schemas.get(swift_name)
        assert known is None or [p.name for p in known.properties] == [p.name for p in schema.properties], swift_name
        self.schemas.setdefault(swift_name, schema)

    def _property(self, name, facts, owner=None):
        if "enumeration" in facts:
            element, is_object = facts["enumeration"], False
        elif "properties" in facts:
            element, is_object = f"{owner}.{facts['object']}", True
        else:
            value = facts.get("items") or facts.get("mapOf") or facts
            is_object = "ref" in value
            element = self.swift_names[value["ref"]] if is_object else SCALARS[value["type"], value.get("format")]
        if facts.get("type") == "array" or facts.get("repeated"):
            kind, type = "array", f"[{element}]"
        elif "mapOf" in facts:
            kind, type = "map", f"[String: {element}]"
        else:
            kind, type = "object" if is_object else "scalar", element
        return Property(name, facts, type, element, kind, "enumeration" in facts)

    def _method(self, id, facts):
        for key in METHOD_KEYS:
            if key not in facts:
                raise TableError(f"{id}: add `{key}`")
        query = [self._parameter(name, parameter, id, facts) for name, parameter in facts["queryParameters"].items()]
        return Method(
            id,
            facts,
            [self._parameter(name, {}, id, facts) for name in facts["pathParameters"]],
            [p for p in query if p.facts.get("required")],
            [p for p in query if not p.facts.get("required")],
        )

    def _parameter(self, name, facts, id, method):
        facts = {**self.facts["parameters"].get(name, {}), **facts}
        if "doc" not in facts:
            raise TableError(f"{id}: add `{name}` to `parameters`, with its type and a sentence")
        if name == "syncToken":
            facts["sync"] = method.get("sync") or self._sync(method)
        return self._property(name, facts)

    def _sync(self, watch):
        """The rules of the method that lists the resources which `watch` watches."""
        return self.facts["methods"][next(
            id for id, facts in self.facts["methods"].items()
            if facts["path"] + "/watch" == watch["path"] and facts["httpMethod"] == "GET")]["sync"]
