// SPDX-License-Identifier: Apache-2.0

import Almanac
// Call any API with any HTTP method.
//
// It replaces the tutorials' four methods for GET, POST, PUT and DELETE, which put the token among the parameters. It also
// replaces a call with parallel lists of names and values whose response was searched for "error". Here the token is in a header
// field and is sent only to Google's APIs, parameters are escaped, and responses are typed.
//
// In an iOS app, use `GoogleAccount(iOSClientID:scopes:)`, without a secret.
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
try await http.call(.delete, one)  // an empty response is not an error
print(read.summary, changed.summary)

do {
  try await http.call(.post, "\(one)/events/quickAdd", query: ["text": "Lunch"])
} catch let error as CallError {
  print(error.message, error.response?.status ?? 0)  // describes the failure without the request's data
}
