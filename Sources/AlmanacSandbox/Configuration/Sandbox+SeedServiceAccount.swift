// SPDX-License-Identifier: Apache-2.0

import OAuthJOSE

extension Sandbox.Seed {
  /// A service account, and whether it is attached to the machine.
  struct ServiceAccount {
    let account: GoogleCloudSandbox.ServiceAccount
    let isAttached: Bool

    /// Reads a service account of a seed.
    init(_ members: inout SeedMembers) throws(SandboxError) {
      let email = try members.required("email").lowercased()
      // It is the name of the key file, too.
      guard email.contains("@"), !email.contains("/") else {
        throw members.fault("email", "has to be an e-mail address")
      }
      var account = GoogleCloudSandbox.ServiceAccount(email: email, keys: try members.keySet("keys") ?? JWKSet([]))
      account.delegators = Set((try members.texts("delegators") ?? []).map { $0.lowercased() })
      account.tokenCreators = Set((try members.texts("tokenCreators") ?? []).map { $0.lowercased() })
      self.account = account
      isAttached = try members.flag("attached") ?? false
    }

    /// Returns the accounts and the address of the one that is attached.
    ///
    /// - Parameter users: The addresses of the users, who alone can be acted for.
    static func checked(
      _ accounts: [ServiceAccount], users: [String]
    ) throws(SandboxError) -> ([GoogleCloudSandbox.ServiceAccount], attached: String?) {
      for (index, account) in accounts.enumerated() where !account.account.delegators.isSubset(of: users) {
        throw SandboxError("In the seed, a delegator of serviceAccounts[\(index)] is not among the users.")
      }
      let attached = accounts.filter(\.isAttached)
      guard attached.count <= 1 else { throw SandboxError("In the seed, more than one service account is attached.") }
      return (accounts.map(\.account), attached.first?.account.email)
    }
  }
}
