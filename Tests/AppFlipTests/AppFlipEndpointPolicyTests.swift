// SPDX-License-Identifier: Apache-2.0

import AppFlip
import Testing

@Suite struct AppFlipEndpointPolicyTests {
  private let policy = AppFlipEndpointPolicy(registrations: [
    AppFlipRegistration(clientID: "google-home"),
    AppFlipRegistration(clientID: "tester", bundleIdentifiers: ["com.example.tester"]),
    AppFlipRegistration(clientID: "unlinked", redirects: []),
  ])

  @Test(arguments: AppFlipRedirect.google)
  func linkedClientIsAcceptedAtEachOfTheTwelveAddresses(_ redirect: AppFlipRedirect) {
    #expect(policy.decision(clientID: "google-home", redirectURI: redirect.uri) == .accept(redirect))
  }

  @Test(arguments: [
    ("unlinked", "com.google.OPA", "a client that is not linked"), ("nobody", "com.google.OPA", "an unknown client"),
    (nil, "com.google.OPA", "no client"), ("tester", "com.google.OPA", "a URL of another client"),
    ("google-home", "com.example.tester", "a URL of another client"),
  ])
  func trustedAddressOfAnotherIsAnsweredAsInvalidRequest(_ clientID: String?, _ app: String, _ reason: String) {
    let redirect = AppFlipRedirect(bundleIdentifier: app)
    #expect(
      policy.decision(clientID: clientID, redirectURI: redirect.uri) == .invalidRequest(redirect), "\(reason)")
  }

  @Test(arguments: [
    nil, "https://attacker.example/a/com.google.OPA", "https://oauth-redirect.googleusercontent.com/a/com.attacker",
    "https://oauth-redirect.googleusercontent.com/r/project",
    "https://oauth-redirect.googleusercontent.com/a/com.google.OPA?x=y",
  ])
  func otherAddressIsNeverAnsweredForIt(_ redirectURI: String?) {
    #expect(policy.decision(clientID: "google-home", redirectURI: redirectURI) == .notAppFlip)
  }
}
