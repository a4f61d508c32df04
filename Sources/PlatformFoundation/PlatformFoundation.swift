// SPDX-License-Identifier: Apache-2.0

// The part of Foundation that every platform has. On Linux, the whole of Foundation would add 45 MB to a static program.
#if canImport(FoundationEssentials)
  @_exported public import FoundationEssentials
#else
  @_exported public import Foundation
#endif
