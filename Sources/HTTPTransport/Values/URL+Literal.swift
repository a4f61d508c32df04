// SPDX-License-Identifier: Apache-2.0

package import PlatformFoundation

extension URL {
  /// Creates a URL from a literal.
  ///
  /// A literal that is not a URL is a programming error.
  package init(literal: StaticString) {
    guard let url = URL(string: "\(literal)") else { preconditionFailure("\(literal) is not a URL") }
    self = url
  }
}
