// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

extension TokenStorageError {
  /// The error for a failed system call.
  ///
  /// - Parameters:
  ///   - number: The call's `errno`. It is the first argument, so no other argument can change it before it is read.
  ///   - action: The attempted action, as in "could not …".
  ///   - path: The path of the file.
  package static func system(_ number: Int32, _ action: String, _ path: String) -> TokenStorageError {
    // The numbers that system calls set have constant texts, which no other thread changes.
    let text = unsafe String(cString: strerror(number))
    let advice =
      switch number {
      case ENOSPC, EDQUOT, EFBIG: "Free some space and try again."
      case EACCES, EPERM: "Check who owns it and its permissions."
      case EROFS: "Choose a directory that can be written."
      case EMFILE, ENFILE: "Too many files are open. Close some and try again."
      case EIO: "Check the disk."
      default: "Check the path."
      }
    return TokenStorageError(.unavailable, "Could not \(action) \(path): \(text) (errno \(number)). \(advice)")
  }

  /// The error for a file or directory that another user could read or redirect.
  static func insecure(_ path: String, _ fault: String, _ advice: String) -> TokenStorageError {
    TokenStorageError(.insecure, "\(path) is not safe to use: \(fault). \(advice)")
  }
}
