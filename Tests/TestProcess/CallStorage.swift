// SPDX-License-Identifier: Apache-2.0

import TokenStore

/// `call-storage read|list|check|write|spend|remove DIR ACCOUNT`: makes one call of a storage in files.
///
/// Says `sent` when a credential can be spent, and `done`, or the error's code and message.
@Sendable func callStorage(_ arguments: [String]) async throws {
  guard arguments.count == 3 else { throw UsageError(description: "call-storage CALL DIR ACCOUNT") }
  try await call(arguments[0], of: FileTokenStorage(path: arguments[1]), arguments[2])
}

/// Makes one call of a storage, and says its result.
func call(_ name: String, of storage: some TokenStorage, _ account: String) async throws {
  let token = StoredToken(accessToken: Secret("new"))
  do {
    switch name {
    case "read": _ = try await storage.token(for: account)
    case "list": _ = try await storage.accounts()
    case "check": try await storage.checkWritable(account)
    case "write": try await storage.withExclusiveAccess(to: account) { try await $0.write(token) }
    case "remove": try await storage.withExclusiveAccess(to: account) { try await $0.write(nil) }
    case "spend":
      try await storage.withExclusiveAccess(to: account) { slot in
        _ = try await slot.read()
        _ = try await slot.prepareToSpend(SpendingIntent(credentialDigest: [1], requestLimit: .seconds(30)))
        say("sent")
        try await slot.write(token)
      }
    default: throw UsageError(description: "read, list, check, write, spend or remove")
    }
    say("done")
  } catch let error as TokenStorageError {
    say("\(error.code)")
    say(error.message)
  }
}
