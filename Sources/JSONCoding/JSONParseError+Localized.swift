// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension JSONParseError: LocalizedError {
  /// What is wrong and where: the description.
  public var errorDescription: String? { description }
}
