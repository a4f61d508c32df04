// SPDX-License-Identifier: Apache-2.0

import Foundation
import OAuthCore
import OAuthUserAgents
import Testing

struct ClaimedRedirectTests {
  @Test(arguments: [
    ("org.example.notes:/signed-in", ClaimedRedirect.customScheme("org.example.notes")),
    ("Org.Example.Notes://signed-in", .customScheme("org.example.notes")),
    ("https://notes.example.org/signed-in", .https(host: "notes.example.org", path: "/signed-in")),
    ("https://notes.example.org:443/a", .https(host: "notes.example.org", path: "/a")),
    ("https://notes.example.org", .https(host: "notes.example.org", path: "/")),
    ("https://n%6Ftes.example.org/", .https(host: "notes.example.org", path: "/")),
    ("HTTPS://notes.example.org/a%20b/", .https(host: "notes.example.org", path: "/a b/")),
  ])
  func anAppReceivesIt(address: String, redirect: ClaimedRedirect) throws {
    #expect(try ClaimedRedirect(#require(URL(string: address))) == redirect)
  }
}
