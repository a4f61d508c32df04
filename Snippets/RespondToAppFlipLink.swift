// SPDX-License-Identifier: Apache-2.0

// Respond to an App Flip link: check it, request a code from the app's server, and return the code or an error to Google.
//
// It replaces link parsing with URLComponents, which used the first parameter of each name and did not compare the redirect URI.
// It replaces two functions that wrote the response with URLComponents, re-encoding the state, or without the state for errors.
// It also replaces a server's list of twelve redirect URIs.
import AlmanacSandbox
import AppFlip
import Foundation
import HTTPTransport
import TokenStore

// The client ID that your server gave to Google. Google's twelve redirect URIs are included.
let google = AppFlipRegistration(clientID: "google-home")
let server = Sandbox {
  $0.clients = [
    Sandbox.Client(
      id: "google-home", name: "Google Home", redirectURIs: [],
      authentication: .clientSecretPost(Secret("known to Google alone")),
      appFlipRedirects: AppFlipRedirect.google)
  ]
}

/// Returns the response to the `webpageURL` of a browsing activity, or `nil` if the link is not Google's.
func response(to link: URL) -> AppFlipResponse? {
  do throws(AppFlipError) {
    let request = try google.request(from: link)
    guard let code = authorizationCode(for: request) else { return request.refuse(.cancelled) }
    return request.response(code: code)
  } catch {
    print(error)
    return error.response
  }
}

/// Stands in for the app's request to its own server, where the user signs in and consents.
func authorizationCode(for request: AppFlipRequest) -> String? {
  let query: String = FormEncoding.query.encode([
    "response_type": "code", "client_id": request.clientID, "redirect_uri": request.redirect.uri,
    "scope": request.scopes.joined(separator: " "),
  ])
  guard let url = URL(string: "https://server.example/authorize?" + query), let callback = try? server.approve(url)
  else {
    return nil
  }
  return FormEncoding.form.decode(callback.query() ?? "")["code"]
}

for query in [
  "client_id=google-home&scope=email&state=a%2Fb&redirect_uri=https://oauth-redirect.googleusercontent.com/a/com.google.OPA",
  "client_id=another&state=a%2Fb&redirect_uri=https://oauth-redirect.googleusercontent.com/a/com.google.OPA",
  "client_id=google-home&state=a%2Fb&redirect_uri=https://attacker.example/a/com.google.OPA",
] {
  guard let link = URL(string: "https://app.example/link?" + query) else { continue }
  // On an iPhone: if let response = response(to: link) { await UIApplication.shared.open(response) }
  print(response(to: link)?.description ?? "no response")
}
