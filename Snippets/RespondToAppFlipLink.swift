// SPDX-License-Identifier: Apache-2.0

// Respond to an App Flip link: check it, ask the app's own server for a code, give Google the code or the reason why not.
//
// It replaces a link read with URLComponents, of which the first parameter of each name counted and the redirect URI was not
// compared; two functions that write the response with URLComponents, which encode the state anew, and the one for errors without
// it; and a server's list of twelve redirect URIs.
import AlmanacSandbox
import AppFlip
import Foundation
import HTTPTransport
import TokenStore

// Your server's name for Google; Google's twelve redirect URIs come with it.
let google = AppFlipRegistration(clientID: "google-home")
let server = Sandbox(
  configuration: Sandbox.Configuration(clients: [
    Sandbox.Client(
      id: "google-home", name: "Google Home", redirectURIs: [],
      authentication: .clientSecretPost(Secret("known to Google alone")),
      appFlipRedirects: AppFlipRedirect.google)
  ]))

/// What the app does with the `webpageURL` of a browsing activity.
///
/// `nil`: the link is not Google's, and there is no response.
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

/// Stands for the app's own way to its server, where the user is signed in and asked.
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
