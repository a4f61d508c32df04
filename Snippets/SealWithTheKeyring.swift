// SPDX-License-Identifier: Apache-2.0
//! Seal token files with a key in the keyring of a Linux desktop. The first program makes the key.
import TokenStore
import TokenStoreSealed
import TokenStoreSecretService

// snippet.keys
let item = SecretServiceItem(service: "com.example.agenda", name: "sealing-keys")
let text = try await item.read(orStoring: Secret(try SealingKey.generate("2026-11").reveal()))
let storage = SealedTokenStorage(
  wrapping: FileTokenStorage(), keys: try SealingKeyRing(text: text), store: "com.example.agenda")
// snippet.end
print("\(try await storage.accounts().count) users are signed in.")
