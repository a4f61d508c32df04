# SPDX-License-Identifier: Apache-2.0
"""Descriptors of requests: the properties that determine how they are checked, sent and retried, with the limits of methods and schemas."""

from .swift import Part, argument, identifier, type_name
from .table import Method, Schema, Table


def descriptor(table: Table, m: Method) -> str:
    """The descriptor of a request, as an expression inside the function that creates the request."""
    arguments = [f'"{m.id}"', f".{m.http_method.lower()}", f"isRepeatable: {'true' if m.is_repeatable else 'false'}"]
    names = ", ".join(f".{table.scopes[scope]['name']}" for scope in m.facts["scopes"])
    arguments.append(f"scopes: [{names}]")
    if request_limits(table, m):
        arguments.append(f"limits: Limits.{m.name}")
    batch = "request" in m.facts and table.facts["schemas"][m.facts["request"]].get("batch")
    if batch:
        arguments.append(f"batch: .{batch}")
    return f"RequestDescriptor({', '.join(arguments + effect(table, m))})"


def effect(table: Table, m: Method) -> list[str]:
    """The argument with the effect of a second request, and the request that determines whether the first one was carried out."""
    if m.http_method in ("PUT", "PATCH", "DELETE"):
        # The request writes the resource at its path.
        path = m.path_parameters
        outcome = {
            "repetition": "sets", "identifier": path[-1].name,
            "lookup": {"method": table.reading(m).id, "arguments": {p.json_name: p.name for p in path}}}
    elif m.writes:
        outcome = m.outcome
    else:
        return []
    text = f"effect: .{outcome['repetition']}({outcome.get('identifier', 'nil')}"
    if "lookup" not in outcome:
        return [text + ")"]
    since = "since" if "since" in outcome["lookup"].get("query", {}).values() else "_"
    return [f"{text}) {{ {since} in {lookup(table, m, outcome)}.content }}"]


def lookup(table: Table, m: Method, outcome: dict) -> str:
    """The request that reads the resource afterwards."""
    facts = outcome["lookup"]
    resource, name = facts["method"].split(".")
    called = next(other for other in table.methods if other.id == facts["method"])
    arguments = [argument(label, facts["arguments"][p.json_name]) for label, p in called.labelled]
    if "query" in facts:
        given = [p for p in called.optional if p.json_name in facts["query"]]
        arguments.append(".init(" + ", ".join(f"{p.name}: {facts['query'][p.json_name]}" for p in given) + ")")
    function = name if resource == m.resource else f"{type_name(resource)}.{name}"
    return f"{function}({', '.join(arguments)})"


# Limits


def limits(table: Table, resource: str, methods: list[Method]) -> list[Part]:
    """The limits of the requests of a resource's methods."""
    lines = [
        f"    static let {identifier(m.name)} = RequestLimits({', '.join(arguments)})\n"
        for m in methods if (arguments := request_limits(table, m))]
    if not lines:
        return []
    text = f"extension {resource} {{\n  /// The limits of each method's requests.\n  private enum Limits {{\n"
    return [Part(text + "".join(lines) + "  }\n}\n")]


def request_limits(table: Table, m: Method) -> list[str]:
    """The arguments of a method's `RequestLimits`."""
    arguments = []
    parameters = [limit for p in m.required + m.optional for limit in parameter_limit(p)]
    if parameters:
        arguments.append(f"parameters: [{', '.join(parameters)}]")
    if "request" in m.facts:
        name = table.swift_names[m.facts["request"]]
        if any(limits_of(table, table.schemas[name], "")):
            arguments.append(f"fields: {name}.fieldLimits")
    if "rules" in m.facts:
        arguments.append(f"rules: [{', '.join('.' + rule for rule in m.facts['rules'])}]")
    if "sync" in m.facts:
        names = {key: ", ".join(f'"{name}"' for name in m.facts["sync"][key]) for key in ("mustNotCombine", "mustNotBeFalse")}
        arguments.append(f"sync: SyncRules(mustNotCombine: [{names['mustNotCombine']}], mustNotBeFalse: [{names['mustNotBeFalse']}])")
    return arguments


def parameter_limit(p):
    upper = p.facts.get("pageSizeMax", p.facts.get("maximum"))
    if upper is not None or "minimum" in p.facts:
        yield f'ParameterLimit("{p.json_name}", {bounds(p.facts.get("minimum"), upper)})'


def field_limits(table: Table, schema: Schema) -> list[Part]:
    """The limits of a schema's fields, if it has any and requests send it."""
    if schema.json_name not in (m.facts.get("request") for m in table.methods) or "." in schema.name:
        return []
    found = list(limits_of(table, schema, ""))
    if not found:
        return []
    text = f"extension {schema.name} {{\n  /// The limits of the fields in the body of a request.\n  static let fieldLimits: [FieldLimit] = [\n"
    return [Part(text + "".join(f'    FieldLimit("{path}", {bound}),\n' for path, bound in found) + "  ]\n}\n")]


def limits_of(table: Table, schema: Schema, prefix: str):
    """The paths and limits of the fields that have limits, including those of nested objects."""
    for p in schema.properties:
        found = p.facts.get("limits", {})
        # Patterns apply only to new identifiers, and only the server writes read-only fields.
        if p.is_writable and "pattern" not in found:
            path = prefix + p.json_name
            if "maxItems" in found:
                yield path, f".elements({found['maxItems']})"
            if "maxLength" in found:
                yield path, f".characters({found['maxLength']})"
            if "max" in found:
                yield path, f".value({bounds(found.get('min'), found['max'])})"
            if p.kind in ("object", "array") and p.element in table.schemas:
                yield from limits_of(table, table.schemas[p.element], path + ".")


def bounds(lower, upper) -> str:
    return f"{'Int.min' if lower is None else lower}...{'Int.max' if upper is None else upper}"
