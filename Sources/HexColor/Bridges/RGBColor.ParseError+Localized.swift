// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
  public import Foundation

  // On Linux this module goes without Foundation, which a program that only reads colours should not have to link.
  extension RGBColor.ParseError: LocalizedError {
    /// What is wrong and where: the description.
    public var errorDescription: String? { description }
  }
#endif
