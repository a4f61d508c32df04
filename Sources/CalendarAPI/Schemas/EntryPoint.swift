// SPDX-License-Identifier: Apache-2.0

/// A way into a conference.
///
/// Of the codes, fill and show those that the service has.
public struct EntryPoint: CalendarSchema {
  /// The access code, at most 128 characters.
  public var accessCode: String?
  /// What the way in can do.
  public var entryPointFeatures: [String]?
  /// The kind of way in.
  public var entryPointType: Kind?
  /// What to show instead of the URL, at most 512 characters.
  public var label: String?
  /// The meeting code, at most 128 characters.
  public var meetingCode: String?
  /// The passcode, at most 128 characters.
  public var passcode: String?
  /// The password, at most 128 characters.
  public var password: String?
  /// The PIN, at most 128 characters.
  public var pin: String?
  /// The region of a telephone number, such as `SE`.
  public var regionCode: String?
  /// The URL, at most 1,300 characters: `https:`, `tel:` or `sip:` by the kind.
  public var uri: String?
  /// The fields that this version of the module does not know.
  public var additionalFields: [String: JSONValue] = [:]

  /// Creates a value without fields.
  public init() {}

  /// Visits every field, to read or to write it.
  public mutating func visitFields(_ field: inout FieldVisitor) {
    field("accessCode", &accessCode)
    field("entryPointFeatures", &entryPointFeatures)
    field("entryPointType", &entryPointType)
    field("label", &label)
    field("meetingCode", &meetingCode)
    field("passcode", &passcode)
    field("password", &password)
    field("pin", &pin)
    field("regionCode", &regionCode)
    field("uri", &uri)
  }
}

extension EntryPoint {
  /// A kind of way into a conference.
  public struct Kind: OpenEnumeration {
    /// The value as it is sent.
    public let rawValue: String

    /// Creates a value from its text as it is sent.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// By video.
    public static let video: Kind = "video"
    /// By telephone.
    public static let phone: Kind = "phone"
    /// By SIP.
    public static let sip: Kind = "sip"
    /// A page with further ways.
    public static let more: Kind = "more"
  }
}
