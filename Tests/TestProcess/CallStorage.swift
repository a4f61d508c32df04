// SPDX-License-Identifier: Apache-2.0

import TokenStore

/// `call-storage read|list|check|write|remove DIR ACCOUNT`: makes one call of a storage in files.
///
/// Says `done`, or the error's code and message.
@Sendable func callStorage(_ arguments: [String]) async throws {
  guard arguments.count == 3 else { throw UsageError(description: "call-storage CALL DIR ACCOUNT") }
  let (storage, account) = (FileTokenStorage(path: arguments[1]), arguments[2])
  let token = StoredToken(accessToken: Secret("new"))
  do {
    switch arguments[0] {
    case "read": _ = try await storage.token(for: account)
    case "list": _ = try await storage.accounts()
    case "check": try await storage.checkWritable(account)
    case "write": try await storage.withExclusiveAccess(to: account) { try await $0.write(token) }
    case "remove": try await storage.withExclusiveAccess(to: account) { try await $0.write(nil) }
    default: throw UsageError(description: "read, list, check, write or remove")
    }
    say("done")
  } catch let error as TokenStorageError {
    say("\(error.code)")
    say(error.message)
  }
}
