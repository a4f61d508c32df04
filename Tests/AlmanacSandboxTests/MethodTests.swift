// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import Foundation
import HTTPTransport
import Testing

/// A method that is not supported is refused in the form of the other errors at the same URL.
@Suite struct MethodTests {
  private func answer(_ method: HTTPMethod, _ path: String) async throws -> Answer {
    let harness = try SandboxHarness()
    return try await harness.send(HTTPRequest(method, try #require(URL(string: SandboxHarness.base + path))))
  }

  @Test(arguments: [
    ("/authorize", HTTPMethod.post, "GET"), ("/authorize/consent", .get, "POST"), ("/", .post, "GET"),
    ("/picture.png", .delete, "GET"), ("/meetup/oauth2/authorize", .put, "GET"),
  ])
  func pagesRefuseWithAPage(path: String, method: HTTPMethod, allowed: String) async throws {
    let answer = try await answer(method, path)
    #expect(answer.status == 405)
    #expect(answer.response.fields["Allow"] == allowed)
    #expect(answer.response.fields["Content-Type"] == "text/html; charset=utf-8")
    #expect(answer.response.fields["Content-Security-Policy"] != nil)
    #expect(answer.text.contains("<h1>Method not supported</h1>"))
  }

  @Test(arguments: [
    ("/token", HTTPMethod.get, "POST"), ("/revoke", .get, "POST"), ("/userinfo", .delete, "GET, POST"),
    ("/jwks.json", .post, "GET"), ("/.well-known/openid-configuration", .post, "GET"),
    ("/meetup/oauth2/access", .get, "POST"),
  ])
  func endpointsRefuseWithAnErrorOfOAuth(path: String, method: HTTPMethod, allowed: String) async throws {
    let answer = try await answer(method, path)
    #expect(answer.status == 405)
    #expect(answer.response.fields["Allow"] == allowed)
    #expect(answer["error"] == "invalid_request")
    #expect(answer["error_description"]?.contains(allowed) == true)
  }

  @Test func theMeetupLikeAPIRefusesInItsForm() async throws {
    let answer = try await answer(.post, "/meetup/2/member/self")
    #expect(answer.status == 405)
    #expect(answer.response.fields["Allow"] == "GET")
    #expect(answer["code"] == "method_not_allowed")
    #expect(answer["problem"]?.contains("GET") == true)
  }

  @Test(arguments: [
    ("users/me/calendarList", HTTPMethod.delete, "GET, POST"), ("calendars", .get, "POST"),
    ("calendars/primary", .post, "GET, PUT, PATCH, DELETE"),
    ("calendars/primary/events/abcde", .post, "GET, PUT, PATCH, DELETE"),
  ])
  func theCalendarAPIRefusesAsGoogleDoes(path: String, method: HTTPMethod, allowed: String) async throws {
    let answer = try await answer(method, "/calendar/v3/" + path)
    #expect(answer.status == 405)
    #expect(answer.response.fields["Allow"] == allowed)
    #expect(answer.reason == "httpMethodNotAllowed")
  }
}
