// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension RFC3339ParseError: LocalizedError {
  /// What is wrong and where: the description.
  public var errorDescription: String? { description }
}
