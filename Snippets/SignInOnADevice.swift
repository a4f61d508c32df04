// SPDX-License-Identifier: Apache-2.0

// Sign in from a program without a browser: the user enters a code on another device.
import Foundation
import HTTPTransport
import HTTPTransportCurl
import OAuthCore
import TokenStore

let client = try OAuthClient(
  provider: .google,
  registration: ClientRegistration(
    clientID: "1234.apps.googleusercontent.com", secret: Secret("GOCSPX-…")),
  transport: CurlTransport().retrying())
let account = OAuthAccount(
  client: client, storage: FileTokenStorage(), account: "television", scopes: ["email"])

try await account.signInOnDevice { device in
  var text = "Open \(device.verificationURI) and enter \(device.userCode)\n"
  if let link = device.verificationURIComplete { text += "or open \(link)\n" }  // as a QR code, for example
  FileHandle.standardError.write(Data(text.utf8))
}

if let userinfo = URL(string: "https://www.googleapis.com/oauth2/v3/userinfo") {
  print(try await account.transport(for: userinfo).call(.get, userinfo) as String)
}
