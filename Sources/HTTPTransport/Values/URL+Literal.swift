// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

extension URL {
  /// An address that stands in the source.
  ///
  /// What is not an address there is a mistake of the programmer's.
  package init(literal: StaticString) {
    guard let url = URL(string: "\(literal)") else { preconditionFailure("\(literal) is not a URL") }
    self = url
  }
}
