// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension GoogleCredentialError: LocalizedError {
  /// The ``message``.
  public var errorDescription: String? { message }
}
