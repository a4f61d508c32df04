// SPDX-License-Identifier: Apache-2.0

import BenchmarkHarness
import Timekeeping
import TokenStore
import TokenStoreSealed

#if canImport(CryptoKit)
  import CryptoKit
#else
  import CLibcrypto
#endif

/// Sealing and opening a record of the size of a sign-in at Google, compared with the cipher alone.
enum SealingRows {
  static let path = "sealed record"

  static var rows: [Row] {
    get throws {
      let token = StoredToken(
        accessToken: Secret(String(repeating: "a", count: 180)), expiresAt: Timestamp(secondsSince1970: 2_000_000_000),
        refreshToken: Secret(String(repeating: "r", count: 100)), scopes: ["https://www.googleapis.com/auth/calendar"])
      let plaintext = TokenRecord.encode(token)
      let keys = try SealingKeyRing([.generate("2026-11")])
      let sealer = RecordSealer(account: "me", store: "tokens.example.com", keys: keys, plainRecords: .refused)
      let cipher = try XAES256GCM(key: [UInt8](repeating: 1, count: 32))
      let nonce = [UInt8](repeating: 2, count: 24)
      let open = { try sealer.seal(token).sealed.map { try sealer.open($0).token } }
      return [
        Row(
          path, "seal and open a record", bytes: plaintext.count,
          ours: Contender(
            "RecordSealer", check: { (try? open()) == token ? nil : "the token is lost" },
            { (try? open()) == nil ? 0 : 1 }),
          baselines: [
            Contender("the record's JSON alone", doesLess: "no cipher") {
              guard case .token? = try? TokenRecord.decode(TokenRecord.encode(token), at: "") else { return 0 }
              return 1
            },
            Contender("XAES256GCM alone", doesLess: "no format") {
              guard let sealed = try? cipher.seal(plaintext, nonce: nonce, authenticating: nonce),
                let opened = try? cipher.open(sealed, nonce: nonce, authenticating: nonce)
              else { return 0 }
              return opened.count
            },
            Contender(
              "AES-256-GCM of the library alone", doesLess: "no format, one key", { library(plaintext, nonce) }),
          ])
      ]
    }
  }

  #if canImport(CryptoKit)
    private static let key = SymmetricKey(size: .bits256)

    /// Seals and opens a message with CryptoKit.
    private static func library(_ plaintext: [UInt8], _ data: [UInt8]) -> Int {
      guard let box = try? AES.GCM.seal(plaintext, using: key, authenticating: data),
        let opened = try? AES.GCM.open(box, using: key, authenticating: data)
      else { return 0 }
      return opened.count
    }
  #else
    /// Seals and opens a message with libcrypto.
    private static func library(_ plaintext: [UInt8], _ data: [UInt8]) -> Int {
      let (key, nonce) = ([UInt8](repeating: 1, count: 32), [UInt8](repeating: 2, count: 12))
      var tag = [UInt8](repeating: 0, count: 16)
      // All arrays are valid during the calls, with the stated lengths; the context is freed on each path.
      func run(_ input: [UInt8], isSealing: Bool) -> [UInt8]? {
        var output = [UInt8](repeating: 0, count: input.count)
        var count: CInt = 0
        let context = unsafe EVP_CIPHER_CTX_new()
        defer { unsafe EVP_CIPHER_CTX_free(context) }
        guard unsafe EVP_CipherInit_ex2(context, EVP_aes_256_gcm(), key, nonce, isSealing ? 1 : 0, nil) == 1,
          unsafe EVP_CipherUpdate(context, nil, &count, data, CInt(data.count)) == 1,
          unsafe EVP_CipherUpdate(context, &output, &count, input, CInt(input.count)) == 1,
          unsafe isSealing || EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, 16, &tag) == 1
        else { return nil }
        var none: UInt8 = 0
        guard unsafe EVP_CipherFinal_ex(context, &none, &count) == 1,
          unsafe !isSealing || EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, 16, &tag) == 1
        else { return nil }
        return output
      }
      return run(plaintext, isSealing: true).flatMap { run($0, isSealing: false) }?.count ?? 0
    }
  #endif
}
