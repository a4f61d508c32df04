# SPDX-License-Identifier: Apache-2.0
"""Resources: a function that creates the request of each method, and a function that sends it."""

from . import descriptors, enumerations
from .swift import REFERENCE, Part, argument, comment, documentation, googles_name, identifier, listed, modules, source_files, type_name
from .table import Method, Table

BODIES = {
    "AclRule": "rule", "CalendarListEntry": "entry", "CalendarMetadata": "calendar", "WatchChannel": "channel",
    "Event": "event", "FreeBusyRequest": "query",
}
BODY_DOCUMENTATION = {
    "rule": "The access rule.", "entry": "The entry.", "calendar": "The metadata.", "channel": "The channel.",
    "event": "The event.", "query": "The calendars and the period.", "patch": "The changes.",
}
# The maximum number of optional parameters that a method takes one by one; others take them as one value.
INLINE = 3


def files(table: Table):
    for resource, doc in table.resources.items():
        name = type_name(resource)
        queries = Queries(table, resource)
        methods = [m for m in table.methods if m.resource == resource]
        needed = modules(p for m in methods for p in m.required)
        yield from source_files(f"Resources/{name}", {
            "": [
                Part(resource_type(resource, name, doc)),
                Part(requests(table, name, methods, queries), needed, frozenset(["HTTPTransport"])),
            ] + descriptors.limits(table, name, methods),
            "+Sending": [Part(sending(table, name, methods, queries), needed)],
            "+Queries": [
                Part(query_type(name, query, parameters, queries.users[query]), modules(parameters))
                for query, parameters in queries.by_name.items()
            ] + enumerations.parts(table, name),
        })


class Queries:
    """The types of optional parameters of a resource. Methods with the same parameters share one."""

    def __init__(self, table: Table, resource: str):
        self.by_name, self.users, self.of_method = {}, {}, {}
        methods = [m for m in table.methods if m.resource == resource]
        for m in sorted(methods, key=lambda m: m.name not in ("list", "insert", "update")):
            names = [p.json_name for p in m.optional]
            shared = next((q for q, ps in self.by_name.items() if [p.json_name for p in ps] == names), None)
            if shared is None and (len(names) > INLINE or "pages" in m.facts):
                shared = m.name[0].upper() + m.name[1:] + "Query"
                self.by_name[shared] = m.optional
            if shared:
                self.of_method[m.id] = shared
                self.users.setdefault(shared, []).append(m)


def resource_type(resource: str, name: str, doc: str) -> str:
    methods = f"The methods of [{resource}]({REFERENCE}/{resource})"
    return (
        comment(f"{methods}: {doc[0].lower()}{doc[1:]}\n\nA static method creates a request, and the instance method of the same name sends it.")
        + f"public struct {name}: Sendable {{\n  package let client: CalendarClient\n}}\n\n"
        + f"extension CalendarClient {{\n{comment(doc, '  ')}  public var {resource}: {name} {{ {name}(client: self) }}\n}}\n"
    )


# Optional parameters


def swift_type(p) -> str:
    return p.type if p.kind == "array" else f"{p.type}?"


def query_type(resource: str, name: str, parameters, users) -> str:
    methods = listed([f"`{m.id}`" for m in users], "and")
    text = f"extension {resource} {{\n" + comment(f"The optional parameters of {methods}. A parameter that is `nil` or empty is not sent.", "  ")
    text += f"  public struct {name}: Sendable, Hashable {{\n"
    for p in parameters:
        text += comment(documentation(p) + googles_name(p), "    ") + f"    public var {p.name}: {swift_type(p)}\n"
    text += "\n    /// Creates the parameters.\n    public init(\n"
    text += ",\n".join(f"      {p.name}: {swift_type(p)} = {default(p)}" for p in parameters)
    text += "\n    ) {\n" + "".join(f"      self.{p.name} = {p.name}\n" for p in parameters) + "    }\n  }\n}\n\n"
    text += f"extension {resource}.{name}: QueryParameters {{\n  func append(to items: inout QueryItems) {{\n"
    return text + "".join(f'    items.append("{p.json_name}", {p.name})\n' for p in parameters) + "  }\n}\n"


def default(p) -> str:
    return "[]" if p.kind == "array" else "nil"


# Methods


class Signature:
    """The parameters of a Swift function for a method."""

    def __init__(self, table: Table, m: Method, queries: Queries):
        self.query = queries.of_method.get(m.id)
        self.body = None
        self.parameters, self.arguments, self.documentation = [], [], []
        schema = m.facts.get("request") and table.swift_names[m.facts["request"]]
        if schema:
            self.body = "patch" if m.patches else BODIES[schema]
            self.add(f"_ {self.body}: {schema}{'.Patch' if m.patches else ''}", self.body, self.body, BODY_DOCUMENTATION[self.body])
        for label, p in m.labelled:
            labelled = p.name if label == p.name else f"{label} {p.name}"
            self.add(f"{labelled}: {p.type}", argument(label, p.name), p.name, documentation(p))
        if self.query:
            self.add(f"_ query: {self.query} = .init()", "query", "query", "The optional parameters.")
        else:
            for p in m.optional:
                self.add(f"{p.name}: {swift_type(p)} = {default(p)}", f"{p.name}: {p.name}", p.name, documentation(p))

    def add(self, parameter, argument, name, doc):
        self.parameters.append(parameter)
        self.arguments.append(argument)
        self.documentation.append((name, doc))

    def comment(self, text: str) -> str:
        result = comment(text, "  ")
        if self.documentation:
            result += "  ///\n"
            if len(self.documentation) == 1:
                result += comment(f"- Parameter {self.documentation[0][0]}: {self.documentation[0][1]}", "  ", "  ")
            else:
                result += "  /// - Parameters:\n"
                for name, doc in self.documentation:
                    result += comment(f"  - {name}: {doc}", "  ", "    ")
        return result


def function(name: str, parameters: list[str], result: str) -> str:
    """The head of a function, with its parameters on a separate line if they are long."""
    line = f"  {name}({', '.join(parameters)}){result} {{\n"
    if len(line) <= 121:
        return line
    return f"  {name}(\n    {', '.join(parameters)}\n  ){result} {{\n"


def reference(m: Method) -> str:
    return f"[{m.id}]({REFERENCE}/{m.resource}/{m.name})"


def discussion(m: Method) -> str:
    return f"\n\n{m.facts['discussion']}" if "discussion" in m.facts else ""


def response(table: Table, m: Method) -> str:
    return table.swift_names[m.facts["response"]] if "response" in m.facts else "Void"


def requests(table: Table, name: str, methods, queries) -> str:
    text = f"extension {name} {{\n"
    for index, m in enumerate(methods):
        signature = Signature(table, m, queries)
        scopes = listed([f"`.{table.scopes[s]['name']}`" for s in m.facts["scopes"]], "or")
        needs = "one of the scopes" if len(m.facts["scopes"]) > 1 else "the scope"
        text += ("\n" if index else "") + signature.comment(
            f"Creates a request of {reference(m)}, which {m.facts['doc'][0].lower()}{m.facts['doc'][1:]}\n\nRequires {needs} {scopes}." + discussion(m))
        text += function(f"public static func {identifier(m.name)}", signature.parameters, f" -> CalendarRequest<{response(table, m)}>")
        items = query_items(m, signature)
        if items:
            text += "    var items = QueryItems()\n" + items
        path = m.facts["path"]
        for p in m.path_parameters:
            path = path.replace(f"{{{p.json_name}}}", f"\\({p.name})")
        arguments = ["descriptor", f'"{path}"']
        if items:
            arguments.append("query: items")
        if signature.body:
            written = "changes" if m.patches else "jsonValue"
            arguments.append(f"body: .json({signature.body}.{written})")
        elif m.http_method == "POST":
            arguments.append("body: .empty")
        if identified := m.outcome.get("identified"):
            # It can be retried without creating a second resource.
            text += f"    let ({identified}, id, isNew) = {identified}.identified\n"
            arguments.append(f"completion: .exists(always: isNew) {{ {descriptors.lookup(table, m, m.outcome)} }}")
        elif m.deletes:
            arguments.append("completion: .gone(())")
        text += f"    let descriptor = {descriptors.descriptor(table, m)}\n    return CalendarRequest({', '.join(arguments)})\n  }}\n"
    return text + "}\n"


def query_items(m: Method, signature: Signature) -> str:
    text = "".join(f'    items.append("{p.json_name}", {p.name})\n' for p in m.required)
    if signature.query:
        return text + "    query.append(to: &items)\n"
    return text + "".join(f'    items.append("{p.json_name}", {p.name})\n' for p in m.optional)


def sending(table: Table, name: str, methods, queries) -> str:
    text = f"extension {name} {{\n"
    for index, m in enumerate(methods):
        signature = Signature(table, m, queries)
        result = response(table, m)
        text += ("\n" if index else "") + signature.comment(m.facts["doc"] + discussion(m))
        arrow = "" if result == "Void" else f" -> {result}"
        discardable = "  @discardableResult\n" if arrow and m.writes else ""
        call = f"Self.{identifier(m.name)}({', '.join(signature.arguments)})"
        text += discardable + function(f"public func {identifier(m.name)}", signature.parameters, f" async throws{arrow}")
        text += f"    try await client.send({call})\n  }}\n"
        if "pages" in m.facts:
            text += sequences(table, m, signature, call, result)
    return text + "}\n"


def sequences(table: Table, m: Method, signature: Signature, call: str, page: str) -> str:
    what = m.facts["doc"].removeprefix("Returns a page of ")
    text = "\n" + signature.comment(f"Returns the pages of {what[:-1]}, each requested on demand.")
    text += function(f"public func {m.facts['pages']}", signature.parameters, f" -> CalendarPages<{page}>") + f"    client.pages(of: {call})\n  }}\n"
    text += "\n" + signature.comment(f"Returns {what[:-1]} from all pages.")
    text += function(f"public func {m.facts['elements']}", signature.parameters, f" -> CalendarElements<{page}>") + f"    client.elements(of: {call})\n  }}\n"
    return text
