// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
  public import Foundation

  // On Linux, this module does not import Foundation: a program that only reads colours need not link it.
  extension RGBColor.ParseError: LocalizedError {
    /// The ``description``.
    public var errorDescription: String? { description }
  }
#endif
