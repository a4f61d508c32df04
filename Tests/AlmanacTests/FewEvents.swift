// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox

extension Sandbox.Seed {
  /// A user with twelve events, and a second user without any.
  ///
  /// A sandbox of it is made much sooner than one of the sample calendars: use it in tests that make hundreds.
  static let fewEvents: Sandbox.Seed? = {
    let events = (10...21).map {
      #"{"summary":"Event \#($0)","start":{"date":"2026-01-\#($0)"},"end":{"date":"2026-01-\#($0 + 1)"}}"#
    }
    let json =
      #"{"users":[{"email":"ana@example.com"},{"email":"bo@example.org"}],"#
      + #""calendars":[{"summary":"ana@example.com","primary":true,"events":[\#(events.joined(separator: ","))]}]}"#
    return try? Sandbox.Seed(json: Array(json.utf8))
  }()
}
