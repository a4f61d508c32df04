// SPDX-License-Identifier: Apache-2.0
//! Tokens of many users in PostgreSQL, for a service on several machines.
//!
//! Run it with DATABASE_URL, such as postgresql://almanac@db.example/tokens. See Documentation/Storage.md.

import OAuthCore
import PostgreSQL
import TokenStore
import TokenStorePostgreSQL
import TokenStoreSealed

// snippet.storage
// One for the program: it has the connections, and the queue of the waiting tasks.
let storage = PostgreSQLTokenStorage(PostgreSQLClient(try .environment()))
try await storage.migrateSchema()

/// Returns a user's tokens, which are refreshed once, whichever machine needs them first.
func tokens(of user: String, from client: OAuthClient) -> RefreshingTokenSource {
  RefreshingTokenSource(client: client, storage: storage, account: user)
}
// snippet.end

// snippet.seal
let sealed = SealedTokenStorage(
  wrapping: storage, keys: try SealingKeyRing(environment: "SEALING_KEYS"), store: "tokens.example.com")
// snippet.end

print("\(try await sealed.accounts().count) users are signed in.")
// snippet.shutdown
// Before the program ends: tokens that the database did not accept are written again.
try await storage.close()
// snippet.end
