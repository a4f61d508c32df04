// SPDX-License-Identifier: Apache-2.0

public import PlatformFoundation

/// The error of a link rejected by ``AppFlipRegistration/request(from:)``.
///
/// Branch on ``code``, and open ``response``. The error contains no external input, except the names of App Flip's parameters.
public struct AppFlipError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of fault.
  ///
  /// Future releases may add codes: keep a `default` in a `switch`.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    /// The code's name.
    public let description: String

    /// The URL is not an App Flip link: it is not https, or has neither a `client_id` nor a `redirect_uri`.
    ///
    /// See ``AppFlipError/Disposition/notAppFlip``.
    public static let notAppFlip = Code(description: "notAppFlip")
    /// The ``AppFlipError/parameter`` is missing, or has no value.
    public static let missingParameter = Code(description: "missingParameter")
    /// A parameter occurs more than once.
    public static let repeatedParameter = Code(description: "repeatedParameter")
    /// The ``AppFlipError/parameter`` has an invalid value.
    public static let malformedParameter = Code(description: "malformedParameter")
    /// The client is not the registered one.
    public static let unknownClient = Code(description: "unknownClient")
    /// The redirect URI is not on one of Google's hosts, or not an App Flip redirect URI there.
    public static let untrustedRedirect = Code(description: "untrustedRedirect")
    /// The redirect URI is Google's, but its app is not allowed.
    public static let untrustedApp = Code(description: "untrustedApp")
  }

  /// The kind of failure.
  public let code: Code
  /// A message that states the failure and, if there is one, its remedy.
  public let message: String
  /// The faulty parameter, if App Flip defines it.
  public let parameter: String?
  /// The response to open: ``AppFlipRefusal/invalidRequest``, with which Google continues in the browser.
  ///
  /// It is `nil` if the URL is not an App Flip link or its redirect URI is not trusted. No response may be sent then.
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
    AppFlipError(.repeatedParameter, "\(parameter ?? "A parameter") occurs more than once.", parameter: parameter)
  }

  func responding(_ response: AppFlipResponse) -> AppFlipError {
    AppFlipError(code, message, parameter: parameter, response: response)
  }
}

extension AppFlipError {
  /// The handling of a link rejected by ``AppFlipRegistration/request(from:)``.
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
    /// The link looks like App Flip, but names no allowed redirect URI of Google's: ignore it.
    ///
    /// Opening its redirect URI would send the outcome to another party.
    case notGoogle
    /// The link is Google's, and a part of it is wrong: open the response, with which Google continues in the browser.
    case respond(AppFlipResponse)
  }

  /// The handling of the link.
  public var disposition: Disposition {
    if let response { return .respond(response) }
    return code == .notAppFlip ? .notAppFlip : .notGoogle
  }
}

extension AppFlipError: LocalizedError {
  /// The ``message``.
  public var errorDescription: String? { message }
}

/// The reason that Google receives no code: the `error` of a response.
public enum AppFlipRefusal: String, Sendable, Hashable, CaseIterable {
  /// The user could not sign in or went back, the device is offline, or a connection timed out.
  case cancelled
  /// The request cannot succeed, such as for a disabled account.
  case unrecoverable
  /// Parameters of the request are missing or wrong.
  case invalidRequest = "invalid_request"
  /// The user denied access.
  case accessDenied = "access_denied"

  /// Whether Google's app continues with the authorization endpoint in the browser.
  ///
  /// If not, it ends the linking.
  public var isRecoverable: Bool {
    switch self {
    case .cancelled, .invalidRequest: true
    case .unrecoverable, .accessDenied: false
    }
  }
}
