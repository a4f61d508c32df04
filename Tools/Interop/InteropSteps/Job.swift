// SPDX-License-Identifier: Apache-2.0

import Foundation
import OAuthCore

/// One step with its arguments; each step reads the members that it needs.
struct Job: Decodable {
  /// The library's next action.
  ///
  /// A line that names another step is a decoding error with that name.
  enum Step: String, Decodable {
    case discover
    case begin, complete, refresh, restore, revoke, profile
    case beginDevice, completeDevice, waited
    case introspect, clientCredentials, jwtBearer
    case register, readRegistration, updateRegistration, deleteRegistration, useRegistration
  }

  let step: Step
  let issuer: String?
  let client: ClientDescription?
  let scopes: [Scope]?
  let callback: URL?
  let token: String?
  let hint: String?
  let subject: String?
  /// A private key as a JSON Web Key.
  let key: String?
  let metadata: ClientMetadata?

  /// Returns a member that the step needs.
  func need<Value>(_ member: KeyPath<Job, Value?>) throws -> Value {
    guard let value = self[keyPath: member] else { throw StepError("The step \(step) needs \(member).") }
    return value
  }
}

/// A job that cannot be done: a fault of the rows, not of the library.
struct StepError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
