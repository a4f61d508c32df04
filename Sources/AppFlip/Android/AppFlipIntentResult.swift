// SPDX-License-Identifier: Apache-2.0

/// The result that an activity returns to Google's app for Android
/// ([App Flip for Android](https://developers.google.com/identity/account-linking/app-flip-android)).
public enum AppFlipIntentResult: Sendable, Hashable {
  /// The user agreed, and the app's server has issued this code.
  case authorized(code: String)
  /// There is no code. An optional `errorCode` gives Google details; ``AppFlipRefusal/accessDenied`` always has 13.
  case refused(AppFlipRefusal, errorCode: Int? = nil, description: String? = nil)
  /// The activity ended without a response, such as when the user went back.
  case abandoned

  /// The value of an extra.
  public enum Extra: Sendable, Hashable {
    /// Text.
    case text(String)
    /// A number, Android's `int`.
    case number(Int)
  }

  /// Parses a result.
  ///
  /// - Parameters:
  ///   - resultCode: The activity's result code.
  ///   - extras: The extras, by name. Extras that are not App Flip's are ignored.
  /// - Throws: ``AppFlipError`` if App Flip does not define the result; ``AppFlipError/parameter`` is the faulty extra.
  public init(resultCode: Int, extras: [String: Extra]) throws(AppFlipError) {
    switch resultCode {
    case ResultCode.ok:
      guard case .text(let code)? = extras[Name.authorizationCode], !code.isEmpty else {
        throw .missing(Name.authorizationCode)
      }
      self = .authorized(code: code)
    case ResultCode.cancelled: self = .abandoned
    case ResultCode.error:
      let errorCode: Int? = if case .number(let code)? = extras[Name.errorCode] { code } else { nil }
      let description: String? = if case .text(let text)? = extras[Name.errorDescription] { text } else { nil }
      self = .refused(
        try Self.refusal(extras[Name.errorType], errorCode), errorCode: errorCode, description: description)
    default: throw AppFlipError(.malformedParameter, "App Flip does not define the result code.")
    }
  }

  private static func refusal(_ type: Extra?, _ errorCode: Int?) throws(AppFlipError) -> AppFlipRefusal {
    switch type {
    case .number(ErrorType.recoverable): return .cancelled
    case .number(ErrorType.unrecoverable): return errorCode == deniedByUser ? .accessDenied : .unrecoverable
    case .number(ErrorType.invalidRequest): return .invalidRequest
    case nil: throw .missing(Name.errorType)
    default:
      throw AppFlipError(.malformedParameter, "App Flip does not define this ERROR_TYPE.", parameter: Name.errorType)
    }
  }

  /// The activity's result code.
  public var resultCode: Int {
    switch self {
    case .authorized: ResultCode.ok
    case .refused: ResultCode.error
    case .abandoned: ResultCode.cancelled
    }
  }

  /// The extras, by name.
  public var extras: [String: Extra] {
    switch self {
    case .authorized(let code): return [Name.authorizationCode: .text(code)]
    case .refused(let refusal, let errorCode, let description):
      var extras: [String: Extra] = [Name.errorType: .number(refusal.errorType)]
      extras[Name.errorCode] = (refusal == .accessDenied ? Self.deniedByUser : errorCode).map { .number($0) }
      extras[Name.errorDescription] = description.map { .text($0) }
      return extras
    case .abandoned: return [:]
    }
  }
}

extension AppFlipIntentResult {
  /// The error code of a user who denied access.
  public static let deniedByUser = 13

  private enum ResultCode {
    static let ok = -1
    static let cancelled = 0
    static let error = -2
  }

  private enum Name {
    static let authorizationCode = "AUTHORIZATION_CODE"
    static let errorType = "ERROR_TYPE"
    static let errorCode = "ERROR_CODE"
    static let errorDescription = "ERROR_DESCRIPTION"
  }

  fileprivate enum ErrorType {
    static let recoverable = 1
    static let unrecoverable = 2
    static let invalidRequest = 3
  }
}

extension AppFlipRefusal {
  fileprivate var errorType: Int {
    switch self {
    case .cancelled: AppFlipIntentResult.ErrorType.recoverable
    case .unrecoverable, .accessDenied: AppFlipIntentResult.ErrorType.unrecoverable
    case .invalidRequest: AppFlipIntentResult.ErrorType.invalidRequest
    }
  }
}

extension AppFlipIntentResult: CustomStringConvertible, CustomReflectable {
  /// The outcome, without the code.
  public var description: String {
    switch self {
    case .authorized: "authorized"
    case .refused(let refusal, _, _): "refused, \(refusal.rawValue)"
    case .abandoned: "abandoned"
    }
  }

  /// A redacted mirror for debugging.
  public var customMirror: Mirror { Mirror(self, children: ["outcome": description]) }
}

extension AppFlipIntentResult.Extra: CustomStringConvertible, CustomReflectable {
  /// A number unchanged, and a placeholder for text, which may be the code.
  public var description: String {
    switch self {
    case .text: "<redacted>"
    case .number(let number): String(number)
    }
  }

  /// A redacted mirror for debugging.
  public var customMirror: Mirror { Mirror(self, children: ["value": description]) }
}
