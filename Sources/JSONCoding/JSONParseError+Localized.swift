// SPDX-License-Identifier: Apache-2.0

public import PlatformFoundation

extension JSONParseError: LocalizedError {
  /// The ``description``.
  public var errorDescription: String? { description }
}
