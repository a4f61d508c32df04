// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// What is wrong with a link, an intent or a result.
///
/// Branch on ``code``, open ``response``. Nothing that came from outside is in it, but for the names of parameters that App
/// Flip knows.
public struct AppFlipError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What kind of fault it is.
  ///
  /// More may be added: keep a `default` in a `switch`.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    /// The code's name.
    public let description: String

    /// The URL is not an App Flip link: not https, or without both `client_id` and `redirect_uri`.
    ///
    /// See ``AppFlipError/Disposition/notAppFlip``.
    public static let notAppFlip = Code(description: "notAppFlip")
    /// The ``AppFlipError/parameter`` is not there, or has no value.
    public static let missingParameter = Code(description: "missingParameter")
    /// A parameter is there more than once.
    public static let repeatedParameter = Code(description: "repeatedParameter")
    /// The ``AppFlipError/parameter`` has a value that it cannot have.
    public static let malformedParameter = Code(description: "malformedParameter")
    /// The client is not the registered one.
    public static let unknownClient = Code(description: "unknownClient")
    /// The redirect URI is not on a host of Google's, or not an App Flip address there.
    public static let untrustedRedirect = Code(description: "untrustedRedirect")
    /// The redirect URI is Google's, but its app is not one of those that are allowed.
    public static let untrustedApp = Code(description: "untrustedApp")
  }

  /// The kind of failure.
  public let code: Code
  /// What is wrong and, where something can be done, what to do.
  public let message: String
  /// The parameter, or Android's extra, that is at fault, if it is one that App Flip knows.
  public let parameter: String?
  /// The response to open: ``AppFlipRefusal/invalidRequest``, so that Google goes on in the browser.
  ///
  /// `nil` if the redirect URI cannot be trusted, so that no response may be sent, or the fault was not in a link.
  public let response: AppFlipResponse?

  /// Creates an error.
  public init(_ code: Code, _ message: String, parameter: String? = nil, response: AppFlipResponse? = nil) {
    self.code = code
    self.message = message
    self.parameter = parameter
    self.response = response
  }

  /// The message.
  public var description: String { message }
}

extension AppFlipError {
  static func missing(_ parameter: String) -> AppFlipError {
    AppFlipError(.missingParameter, "\(parameter) is missing.", parameter: parameter)
  }

  static func repeated(_ parameter: String?) -> AppFlipError {
    AppFlipError(.repeatedParameter, "\(parameter ?? "A parameter") is there more than once.", parameter: parameter)
  }

  func responding(_ response: AppFlipResponse) -> AppFlipError {
    AppFlipError(code, message, parameter: parameter, response: response)
  }
}

extension AppFlipError {
  /// What to do with a link that ``AppFlipRegistration/request(from:)`` refuses.
  ///
  /// ```swift
  /// switch error.disposition {
  /// case .notAppFlip: router.open(link)
  /// case .notGoogle: break
  /// case .respond(let response): await UIApplication.shared.open(response)
  /// }
  /// ```
  public enum Disposition: Sendable, Hashable {
    /// The link is not an App Flip link: handle it as any other link of the app.
    case notAppFlip
    /// The link looks like App Flip, but names no redirect URI of Google's that is allowed: ignore it. Opening what it names
    /// would send the outcome to another party.
    case notGoogle
    /// The link is Google's, and something in it is wrong: open the response, so that Google goes on in the browser.
    case respond(AppFlipResponse)
  }

  /// What to do with the link.
  public var disposition: Disposition {
    if let response { return .respond(response) }
    return code == .notAppFlip ? .notAppFlip : .notGoogle
  }
}

extension AppFlipError: LocalizedError {
  /// The ``message``.
  public var errorDescription: String? { message }
}

/// Why Google gets no code: the `error` of a response.
public enum AppFlipRefusal: String, Sendable, Hashable, CaseIterable {
  /// The user could not sign in or turned back, the device is offline, a connection timed out.
  case cancelled
  /// It cannot succeed, such as with an account that is disabled.
  case unrecoverable
  /// Parameters of the request are missing or wrong.
  case invalidRequest = "invalid_request"
  /// The user was asked and said no.
  case accessDenied = "access_denied"

  /// Whether Google's app goes on with the authorization endpoint in the browser, or gives the linking up.
  public var isRecoverable: Bool {
    switch self {
    case .cancelled, .invalidRequest: true
    case .unrecoverable, .accessDenied: false
    }
  }
}
