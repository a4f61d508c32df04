// SPDX-License-Identifier: Apache-2.0

#if DEBUG
  import AppFlip
  import Foundation
  import Testing

  /// Google's test tool, which receives responses at a URL of the developer's.
  @Suite struct AppFlipTestToolTests {
    private static let address = "https://tool.example/redirect"

    private func allowing() throws -> AppFlipRegistration {
      var google = Fixtures.google
      google.redirects.insert(try #require(AppFlipRedirect.testTool(Self.address)))
      return google
    }

    @Test func responseReachesTheToolThatIsAllowed() throws {
      let request = try allowing().request(from: Fixtures.link(redirect: Self.address))
      #expect(request.redirect.uri == Self.address && request.redirect.host == nil)
      #expect(request.response(code: "c").url.absoluteString == "\(Self.address)?code=c&state=s1")
    }

    @Test func toolIsNotGooglesUnlessItIsNamed() throws {
      let link = try Fixtures.link(redirect: Self.address)
      let error = try #require(throws: AppFlipError.self) { try Fixtures.google.request(from: link) }
      #expect(error.code == .untrustedRedirect && error.response == nil)
      #expect(AppFlipRedirect(Self.address) == nil && !AppFlipRedirect.google.contains { $0.host == nil })
    }

    @Test(arguments: [
      "https://tool.example/redirect/", "https://tool.example/", "https://TOOL.example/redirect",
      "https://tool.example/redirect?x=y", "https://tool.example/redire%2563t", "http://tool.example/redirect",
    ])
    func anotherAddressIsNotTheTools(_ address: String) throws {
      let link = try Fixtures.link(redirect: address)
      let error = try #require(throws: AppFlipError.self) { try allowing().request(from: link) }
      #expect(error.code == .untrustedRedirect && error.response == nil)
    }

    @Test(arguments: [
      "http://tool.example/redirect", "tool.example/redirect", "https://", "https:///redirect",
      "https://user@tool.example/", "https://tool.example/?x", "https://tool.example/#x", "https://tool.example/a b",
      "https://tool.example\\@attacker.example/", "https://tööl.example/", "com.example.tool:/redirect",
      "https://tool.example:port/", "https://tool.example/%zz",
    ])
    func addressThatIsNoPlainURLIsNone(_ address: String) {
      #expect(AppFlipRedirect.testTool(address) == nil)
    }

    @Test func endpointOfADebugBuildAcceptsIt() throws {
      let policy = AppFlipEndpointPolicy(registrations: [try allowing()])
      let tool = try #require(AppFlipRedirect.testTool(Self.address))
      #expect(policy.decision(clientID: "google-home", redirectURI: Self.address) == .accept(tool))
      #expect(policy.decision(clientID: "other", redirectURI: Self.address) == .invalidRequest(tool))
      let strict = AppFlipEndpointPolicy(registrations: [Fixtures.google])
      #expect(strict.decision(clientID: "google-home", redirectURI: Self.address) == .notAppFlip)
    }
  }
#endif
