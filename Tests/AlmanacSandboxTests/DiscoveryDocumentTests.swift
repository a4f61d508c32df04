// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import Foundation
import HTTPTransport
import JSONCoding
import Testing

/// The document, beside the table of the API.
@Suite struct DiscoveryDocumentTests {
  @Test func documentIsThatOfTheTable() async throws {
    let harness = try SandboxHarness()
    let document = try JSONValue(json: try await harness.get("/discovery/v1/apis/calendar/v3/rest").response.body)
    #expect(document["rootUrl"] == "https://sandbox.example/" && document["servicePath"] == "calendar/v3/")
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let table = try JSONValue(json: [UInt8](Data(contentsOf: root.appending(path: "Tools/API/calendar_v3.json"))))
    let methods = try #require(table["methods"]?.object)
    let documented = (document["resources"]?.object ?? [:]).flatMap { resource, facts in
      (facts["methods"]?.object ?? [:]).keys.map { "\(resource).\($0)" }
    }
    #expect(Set(documented) == Set(methods.keys))
    for (id, facts) in methods {
      let name = id.split(separator: ".").map(String.init)
      let method = document["resources"]?[name[0]]?["methods"]?[name[1]]
      #expect(method?["id"] == .string("calendar.\(id)") && method?["httpMethod"] == facts["httpMethod"], "\(id)")
      #expect(method?["path"] == facts["path"], "\(id)")
      for key in ["request", "response"] { #expect(method?[key]?["$ref"] == facts[key], "\(id) \(key)") }
      let names = Set((facts["pathParameters"]?.array ?? []).compactMap(\.string)).union(
        facts["queryParameters"]?.object?.keys.map { $0 } ?? [])
      #expect(Set(method?["parameters"]?.object?.keys.map { $0 } ?? []) == names, "\(id)")
    }
    let schemas = try #require(document["schemas"]?.object)
    for (name, facts) in try #require(table["schemas"]?.object) {
      let properties = schemas[name]?["properties"]?.object?.keys
      #expect(properties.map { Set($0) } == facts["properties"]?.object.map { Set($0.keys) }, "\(name)")
    }
    let references = try Self.references(in: document)
    #expect(references.isSubset(of: schemas.keys), "\(references.subtracting(schemas.keys))")
  }

  private static func references(in value: JSONValue) throws -> Set<String> {
    if let fields = value.object {
      let own = fields["$ref"]?.string.map { [$0] } ?? []
      return try fields.values.reduce(into: Set(own)) { $0.formUnion(try references(in: $1)) }
    }
    return try (value.array ?? []).reduce(into: []) { $0.formUnion(try references(in: $1)) }
  }
}
