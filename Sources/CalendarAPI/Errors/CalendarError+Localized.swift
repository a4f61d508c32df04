// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension CalendarError: LocalizedError {
  /// The ``message``.
  public var errorDescription: String? { message }
  /// What to do, by the ``remedy-swift.property``.
  public var recoverySuggestion: String? { remedy.advice }
}
