// SPDX-License-Identifier: Apache-2.0

import PostgreSQL
import TestSupport
import Testing

@Suite struct StatementTests {
  @Test func interpolationsBecomeParameters() {
    let name = "'; DROP TABLE tokens; --"
    let statement: SQLStatement = "SELECT \(name), \(1), \([1, 2] as [UInt8]), \(nil as String?)"
    #expect(statement.text == "SELECT $1, $2, $3, $4")
  }

  @Test func descriptionsShowNoValue() {
    let statement: SQLStatement = "SELECT \("secret-value")"
    #expect("\(statement)" == "SELECT $1")
    #expect(!String(reflecting: statement).contains("secret-value"))
    #expect(!mirroredChildren(of: statement).contains { $0.contains("secret-value") })
  }
}
