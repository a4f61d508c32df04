// SPDX-License-Identifier: Apache-2.0

import AppFlip
import Testing

@Suite struct AndroidTests {
  private let extras = [
    "CLIENT_ID": "google-home", "SCOPE": "email profile",
    "REDIRECT_URI": "https://oauth-redirect.googleusercontent.com/r/project",
  ]

  @Test func intentIsReadAndWritten() throws {
    let intent = try Fixtures.google.intent(from: extras)
    #expect(intent.clientID == "google-home")
    #expect(intent.scopes == ["email", "profile"])
    #expect(intent.redirectURI == "https://oauth-redirect.googleusercontent.com/r/project")
    #expect(intent.extras == extras)
  }

  @Test(arguments: [
    ("CLIENT_ID", nil, AppFlipError.Code.missingParameter), ("CLIENT_ID", "", .missingParameter),
    ("CLIENT_ID", "other", .unknownClient), ("REDIRECT_URI", nil, .missingParameter),
    ("REDIRECT_URI", "", .missingParameter), ("SCOPE", "a\nb", .malformedParameter),
  ])
  func faultyExtraIsNamed(_ name: String, _ value: String?, _ code: AppFlipError.Code) throws {
    var extras = extras
    extras[name] = value
    let error = try #require(throws: AppFlipError.self) { try Fixtures.google.intent(from: extras) }
    #expect(error.code == code)
    #expect(error.parameter == name)
    #expect(error.response == nil)
  }

  @Test(arguments: [
    (AppFlipIntentResult.authorized(code: "c"), -1, ["AUTHORIZATION_CODE": AppFlipIntentResult.Extra.text("c")]),
    (.abandoned, 0, [:]),
    (.refused(.cancelled), -2, ["ERROR_TYPE": .number(1)]),
    (.refused(.unrecoverable), -2, ["ERROR_TYPE": .number(2)]),
    (.refused(.invalidRequest), -2, ["ERROR_TYPE": .number(3)]),
    (.refused(.accessDenied, errorCode: 13), -2, ["ERROR_TYPE": .number(2), "ERROR_CODE": .number(13)]),
    (
      .refused(.cancelled, errorCode: 4, description: "Offline"), -2,
      ["ERROR_TYPE": .number(1), "ERROR_CODE": .number(4), "ERROR_DESCRIPTION": .text("Offline")]
    ),
  ])
  func resultIsWrittenAndRead(
    _ result: AppFlipIntentResult, _ resultCode: Int, _ extras: [String: AppFlipIntentResult.Extra]
  ) throws {
    #expect(result.resultCode == resultCode)
    #expect(result.extras == extras)
    #expect(try AppFlipIntentResult(resultCode: resultCode, extras: extras) == result)
  }

  @Test func denialAlwaysSaysThatThePersonDenied() {
    #expect(AppFlipIntentResult.refused(.accessDenied).extras["ERROR_CODE"] == .number(13))
    #expect(AppFlipIntentResult.refused(.accessDenied, errorCode: 7).extras["ERROR_CODE"] == .number(13))
  }

  @Test(
    arguments: [
      (-1, [:], .missingParameter, "AUTHORIZATION_CODE"),
      (-1, ["AUTHORIZATION_CODE": .text("")], .missingParameter, "AUTHORIZATION_CODE"),
      (-1, ["AUTHORIZATION_CODE": .number(1)], .missingParameter, "AUTHORIZATION_CODE"),
      (-2, [:], .missingParameter, "ERROR_TYPE"), (-2, ["ERROR_TYPE": .number(9)], .malformedParameter, "ERROR_TYPE"),
      (-2, ["ERROR_TYPE": .text("1")], .malformedParameter, "ERROR_TYPE"), (5, [:], .malformedParameter, nil),
    ] as [(Int, [String: AppFlipIntentResult.Extra], AppFlipError.Code, String?)])
  func resultThatAppFlipDoesNotKnowIsRefused(
    _ resultCode: Int, _ extras: [String: AppFlipIntentResult.Extra], _ code: AppFlipError.Code, _ parameter: String?
  ) throws {
    let error = try #require(throws: AppFlipError.self) {
      try AppFlipIntentResult(resultCode: resultCode, extras: extras)
    }
    #expect(error.code == code)
    #expect(error.parameter == parameter)
  }

  @Test func codeIsInNoDescription() {
    let result = AppFlipIntentResult.authorized(code: "secret-code")
    for text in [shown(result), shown([result]), shown(result.extras)] { #expect(!text.contains("secret")) }
  }
}
