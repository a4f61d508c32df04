// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import JSONCoding

/// The machine-readable description of the Calendar API
/// ([discovery document](https://developers.google.com/discovery/v1/reference/apis)).
///
/// The document is generated from the tables by which the sandbox checks calls, and has no descriptions.
enum DiscoveryDocument {
  /// Returns the document.
  ///
  /// - Parameter origin: The origin at which the API is served.
  static func json(at origin: String) -> JSONValue {
    var resources: [String: [String: JSONValue]] = [:]
    for method in CalendarMethod.all {
      let name = method.id.rawValue
      let resource = String(name.prefix { $0 != "." })
      resources[resource, default: [:]][String(name.dropFirst(resource.count + 1))] = method.description
    }
    let scopes = Set(CalendarMethod.all.flatMap(\.scopes)).map {
      (Sandbox.OfferedScope.google + $0, JSONValue.object([:]))
    }
    return [
      "kind": "discovery#restDescription", "discoveryVersion": "v1", "id": "calendar:v3", "name": "calendar",
      "version": "v3", "title": "Calendar API", "protocol": "rest", "batchPath": "batch/calendar/v3",
      "rootUrl": .string(origin + "/"), "servicePath": "calendar/v3/", "basePath": "/calendar/v3/",
      "baseUrl": .string(origin + "/calendar/v3/"),
      "auth": ["oauth2": ["scopes": .object(Dictionary(uniqueKeysWithValues: scopes))]],
      "parameters": [
        "alt": ["type": "string", "location": "query", "enum": ["json"], "default": "json"],
        "fields": ["type": "string", "location": "query"], "key": ["type": "string", "location": "query"],
        "prettyPrint": ["type": "boolean", "location": "query", "default": "true"],
        "quotaUser": ["type": "string", "location": "query"],
      ],
      "resources": .object(resources.mapValues { ["methods": .object($0)] }),
      "schemas": .object(
        Dictionary(
          uniqueKeysWithValues: ResourceSchema.all.map { name, schema in (name, schema.description(name)) })
      ),
    ]
  }
}

extension CalendarMethod {
  fileprivate var description: JSONValue {
    var described: [String: JSONValue] = [:]
    var order: [JSONValue] = []
    var path: [String] = []
    for segment in segments {
      switch segment {
      case .literal(let text): path.append(text)
      case .parameter(let name):
        path.append("{\(name)}")
        order.append(.string(name))
        described[name] = ["type": "string", "location": "path", "required": true]
      }
    }
    for (name, parameter) in parameters.sorted(by: { $0.key < $1.key }) {
      described[name] = parameter.description
      if parameter.isRequired { order.append(.string(name)) }
    }
    return .object(of: [
      "id": .string("calendar." + id.rawValue), "path": .string(path.joined(separator: "/")),
      "httpMethod": .string(method.rawValue), "parameters": .object(described), "parameterOrder": .array(order),
      "request": request.map { ["$ref": .string($0)] },
      "response": response.map { ["$ref": .string($0)] },
      "scopes": .array(scopes.map { .string(Sandbox.OfferedScope.google + $0) }),
    ])
  }
}

extension CalendarMethod.Parameter {
  fileprivate var description: JSONValue {
    var members: [String: JSONValue] = ["location": "query", "type": "string"]
    switch kind {
    case .text: break
    case .boolean: members["type"] = "boolean"
    case .integer(let range):
      members.merge(["type": "integer", "format": "int32"]) { $1 }
      members["minimum"] = .string(String(range.lowerBound))
      members["maximum"] = .string(String(range.upperBound))
    case .pageSize(let standard, _):
      members.merge(["type": "integer", "format": "int32", "minimum": "1"]) { $1 }
      members["default"] = .string(String(standard))
    case .time: members["format"] = "date-time"
    case .choice(let choices): members["enum"] = .array(choices.map { .string($0) })
    }
    if isRepeated { members["repeated"] = true }
    if isRequired { members["required"] = true }
    return .object(members)
  }
}

extension ResourceSchema {
  fileprivate func description(_ name: String) -> JSONValue {
    var described: [String: JSONValue] = [:]
    for (name, kind) in properties {
      var members = kind.description
      if readOnly.contains(name) { members["readOnly"] = true }
      described[name] = .object(members)
    }
    return [
      "id": .string(name), "type": "object", "properties": .object(described),
    ]
  }
}

extension ResourceSchema.Kind {
  fileprivate var description: [String: JSONValue] {
    switch self {
    case .text: ["type": "string"]
    case .boolean: ["type": "boolean"]
    case .integer: ["type": "integer", "format": "int32"]
    case .int64: ["type": "string", "format": "int64"]
    case .any: ["type": "any"]
    case .date: ["type": "string", "format": "date"]
    case .time, .localTime: ["type": "string", "format": "date-time"]
    case .choice: ["type": "string"]
    case .object(let name): ["$ref": .string(name)]
    case .array(let kind): ["type": "array", "items": .object(kind.description)]
    case .map(let kind): ["type": "object", "additionalProperties": .object(kind.description)]
    }
  }
}
