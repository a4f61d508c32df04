# SPDX-License-Identifier: Apache-2.0
"""What the server would ignore, cut or refuse: limits of fields and parameters, and what does not go with a synchronization."""

from .swift import Part, source
from .table import Schema, Table


def files(table: Table):
    yield "FieldLimits.swift", source([Part(field_limits(table))])
    yield "ParameterLimits.swift", source([Part(parameter_limits(table))])
    yield "SyncRules.swift", source([Part(sync_rules(table))])


# Fields


def field_limits(table: Table) -> str:
    """The limits of the fields of bodies, by method. Methods with the same body share them."""
    bodies = {m.id: table.swift_names[m.facts["request"]] for m in table.methods if "request" in m.facts}
    limits = {name: list(limits_of(table, table.schemas[name], "")) for name in sorted(set(bodies.values()))}
    text = "extension FieldLimit {\n  /// The limits by the names of the methods that send a body.\n  static let byMethod: [String: [FieldLimit]] = [\n"
    text += "".join(f'    "{method}": {member(name)},\n' for method, name in bodies.items() if limits[name]) + "  ]\n"
    for name, found in limits.items():
        if found:
            text += f"\n  private static let {member(name)}: [FieldLimit] = [\n"
            text += "".join(f'    FieldLimit("{path}", {bound}),\n' for path, bound in found) + "  ]\n"
    return text + "}\n"


def member(name: str) -> str:
    return name[0].lower() + name[1:]


def limits_of(table: Table, schema: Schema, prefix: str):
    """The paths of the fields that have limits, and the limits, with those of the objects inside."""
    for p in schema.properties:
        limits = p.facts.get("limits", {})
        # Only new identifiers have a form, and what is read-only is the server's own.
        if p.is_writable and "pattern" not in limits:
            path = prefix + p.json_name
            if "maxItems" in limits:
                yield path, f".elements({limits['maxItems']})"
            if "maxLength" in limits:
                yield path, f".characters({limits['maxLength']})"
            if "max" in limits:
                yield path, f".value({bounds(limits.get('min'), limits['max'])})"
            if p.kind in ("object", "array") and p.element in table.schemas:
                yield from limits_of(table, table.schemas[p.element], path + ".")


def bounds(lower, upper) -> str:
    return f"{'Int.min' if lower is None else lower}...{'Int.max' if upper is None else upper}"


# Parameters


def parameter_limits(table: Table) -> str:
    """The values that the parameters with numbers can have, by method."""
    text = "extension ParameterLimit {\n  /// The limits by the names of the methods.\n  static let byMethod: [String: [ParameterLimit]] = [\n"
    for m in table.methods:
        limits = []
        for p in m.required + m.optional:
            upper = p.facts.get("pageSizeMax", p.facts.get("maximum"))
            if upper is not None or "minimum" in p.facts:
                limits.append(f'ParameterLimit("{p.json_name}", {bounds(p.facts.get("minimum"), upper)})')
        if limits:
            text += f'    "{m.id}": [{", ".join(limits)}],\n'
    return text + "  ]\n}\n"


# Synchronization


def sync_rules(table: Table) -> str:
    """What does not go with a synchronization, by method."""
    text = "extension SyncRules {\n  /// The rules by the names of the methods that list.\n  static let byMethod: [String: SyncRules] = [\n"
    for m in table.methods:
        if "sync" in m.facts:
            names = {key: ", ".join(f'"{name}"' for name in m.facts["sync"][key]) for key in ("mustNotCombine", "mustNotBeFalse")}
            text += f'    "{m.id}": SyncRules(mustNotCombine: [{names["mustNotCombine"]}], mustNotBeFalse: [{names["mustNotBeFalse"]}]),\n'
    return text + "  ]\n}\n"
