// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

extension URL {
  /// A URL literal.
  ///
  /// A literal that is no URL is a programming error.
  package init(literal: StaticString) {
    guard let url = URL(string: "\(literal)") else { preconditionFailure("\(literal) is not a URL") }
    self = url
  }
}
