// SPDX-License-Identifier: Apache-2.0

// Seal records with a key that Google Cloud KMS wraps. A sandbox stands for Google Cloud.
import AlmanacSandbox
import GoogleCredentials
import HTTPTransport
import Timekeeping
import TokenStore
import TokenStoreGoogleKMS
import TokenStoreSealed

let name = "projects/p/locations/europe-west6/keyRings/almanac/cryptoKeys/tokens"
var cloud = GoogleCloudSandbox.Configuration(serviceAccounts: [.init(email: "server@p.iam.gserviceaccount.com")])
cloud.attachedAccount = "server@p.iam.gserviceaccount.com"  // The server runs on Google Cloud.
cloud.cryptoKeys = [.init(name, users: ["server@p.iam.gserviceaccount.com"])]
let transport = GoogleCloudSandbox(configuration: cloud).transport()

let environment = CredentialEnvironment(transport: transport, clock: SystemClock(), variables: [:])
let credential = try await GoogleCredential.applicationDefault(scopes: [GoogleKMSKey.scope], in: environment)
let key = try GoogleKMSKey(name, tokens: credential, transport: transport)

// Once. Keep this text with the configuration: it is not secret.
let wrapped = try await key.wrap(.generate("2026-11"))

// In the server.
let keys = try GoogleKMSSealingKeys(wrapped, unwrappedBy: key)
let storage = SealedTokenStorage(wrapping: InMemoryTokenStorage(), keys: keys, store: "tokens.example.com")
try await storage.withExclusiveAccess(to: "me") { try await $0.write(StoredToken(accessToken: Secret("access"))) }
print("read: \(try await storage.token(for: "me")?.accessToken.reveal() ?? "none")")
