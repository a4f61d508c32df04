// SPDX-License-Identifier: Apache-2.0

/// One way in which a server requests authentication, as `WWW-Authenticate` names it
/// ([RFC 9110 § 11.6.1](https://www.rfc-editor.org/rfc/rfc9110.html#section-11.6.1)).
///
/// ```swift
/// for challenge in response.fields.authenticationChallenges where challenge.isScheme("Bearer") {
///   print(challenge["scope"] ?? "")
/// }
/// ```
public struct AuthenticationChallenge: Sendable, Hashable {
  /// The scheme as it was written, such as `Bearer`.
  public let scheme: String
  /// The data that some schemes have in place of parameters, such as those of `Negotiate`.
  public let token68: String?
  /// The parameters, in their order.
  public let parameters: [(name: String, value: String)]

  /// Creates a challenge.
  public init(scheme: String, token68: String? = nil, parameters: [(name: String, value: String)] = []) {
    self.scheme = scheme
    self.token68 = token68
    self.parameters = parameters
  }

  /// Returns whether the challenge is of a scheme, in upper or lower case.
  public func isScheme(_ name: String) -> Bool { scheme.equalsIgnoringCase(name) }

  /// The value of a parameter, whose name is compared without regard to case; `nil` if it is missing, or occurs more than once,
  /// so that no value of it may be used.
  public subscript(name: String) -> String? {
    let found = parameters.filter { $0.name.equalsIgnoringCase(name) }
    return found.count == 1 ? found[0].value : nil
  }
}

extension AuthenticationChallenge {
  /// Compares the parts as they were written.
  public static func == (left: AuthenticationChallenge, right: AuthenticationChallenge) -> Bool {
    left.scheme == right.scheme && left.token68 == right.token68
      && left.parameters.elementsEqual(right.parameters) { $0.name == $1.name && $0.value == $1.value }
  }

  /// Hashes the parts as they were written.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(scheme)
    hasher.combine(token68)
    for (name, value) in parameters {
      hasher.combine(name)
      hasher.combine(value)
    }
  }
}

extension HTTPFields {
  /// The challenges of every `WWW-Authenticate` field, in their order.
  ///
  /// A field may hold several challenges, and a server may send several fields. A challenge with a mistake
  /// in it is left out, and what follows it in its field.
  public var authenticationChallenges: [AuthenticationChallenge] {
    values(for: "WWW-Authenticate").flatMap(AuthenticationChallenge.list)
  }
}
