// SPDX-License-Identifier: Apache-2.0

import TokenStore

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// `write DIR ACCOUNT LENGTH MASK LIMIT`: writes an access token of LENGTH bytes, as a process whose umask is MASK
/// (octal) and that can write no file longer than LIMIT bytes.
///
/// Says `written`, or the error's code and message.
@Sendable func write(_ arguments: [String]) async throws {
  guard arguments.count == 5, let length = Int(arguments[2]), let mask = mode_t(arguments[3], radix: 8),
    let limit = rlim_t(arguments[4])
  else { throw UsageError(description: "write DIR ACCOUNT LENGTH MASK LIMIT") }
  _ = umask(mask)
  // Without this the system ends the process at the limit, where a full disk would only fail the call.
  _ = signal(SIGXFSZ, SIG_IGN)
  var limits = rlimit(rlim_cur: limit, rlim_max: limit)
  // The pointer is valid for the call, which only reads.
  guard unsafe setrlimit(fileSizeLimit, &limits) == 0 else { throw UsageError(description: "setrlimit failed") }
  do {
    try await FileTokenStorage(path: arguments[0]).withExclusiveAccess(to: arguments[1]) { slot in
      try await slot.write(StoredToken(accessToken: Secret(String(repeating: "x", count: length))))
    }
    say("written")
  } catch let error as TokenStorageError {
    say("\(error.code)")
    say(error.message)
  }
}

#if canImport(Glibc)
  private let fileSizeLimit = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
#else
  private let fileSizeLimit = RLIMIT_FSIZE
#endif
