// SPDX-License-Identifier: Apache-2.0

// Compose the parts of a Google account by hand. Each of them can be replaced.
import CalendarAPI
import HTTPTransport
import HTTPTransportCurl
import OAuthCore
import TokenStore

let http = CurlTransport().retrying()  // on Apple platforms, URLSessionTransport()
let client = try OAuthClient(
  provider: .google, registration: ClientRegistration(clientID: "1234.apps.googleusercontent.com"),
  transport: http)
let tokens = RefreshingTokenSource(client: client, storage: FileTokenStorage(), account: "me")
let calendar = CalendarClient(transport: http.authorized(by: tokens, for: [.googleAPIs]))

for try await event in calendar.events.all(in: "primary") {
  print(event.summary ?? "(no title)")
}
