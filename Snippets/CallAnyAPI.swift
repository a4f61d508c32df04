// SPDX-License-Identifier: Apache-2.0

import Almanac
// Call any API with any verb: one method, for a URL that this package knows nothing of.
//
// It replaces four methods, one for each of GET, POST, PUT and DELETE, which differed in a word and put the token among the
// parameters; and one call with a verb, parallel lists of names and values, and a response to be searched for "error".
// Here the token is in a header field and goes to Google's APIs only, parameters are escaped, and responses are typed.
//
// In an app for iOS the account is `GoogleAccount(iOSClientID:scopes:)`, without a secret, and the rest is the same.
import HTTPTransport

struct NewCalendar: Encodable {
  var summary: String
  var description: String?
}

struct SharedCalendar: Decodable {
  let id: String
  let summary: String
}

let google = try GoogleAccount(
  clientID: "1234.apps.googleusercontent.com", clientSecret: .environment("GOOGLE_CLIENT_SECRET"), scopes: [.calendar])
try await google.authorize()
let http = google.transport()

let calendars = "https://www.googleapis.com/calendar/v3/calendars"
let made: SharedCalendar = try await http.call(.post, calendars, body: .json(NewCalendar(summary: "Ruta & café")))
let one = "\(calendars)/\(FormEncoding.query.encode(made.id))"
let read: SharedCalendar = try await http.call(.get, one, query: ["fields": "id,summary"])
let changed: SharedCalendar = try await http.call(.put, one, body: .json(NewCalendar(summary: "Ruta")))
try await http.call(.delete, one)  // an empty response is no error
print(read.summary, changed.summary)

do {
  try await http.call(.post, "\(one)/events/quickAdd", query: ["text": "Lunch"])
} catch let error as CallError {
  print(error.message, error.response?.status ?? 0)  // what was refused, never what was sent
}
