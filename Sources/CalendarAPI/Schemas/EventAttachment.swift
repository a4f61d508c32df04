// SPDX-License-Identifier: Apache-2.0

/// A file that is attached to an event.
///
/// At most 25 are allowed, and a request must say `supportsAttachments`.
public struct EventAttachment: CalendarSchema {
  /// The id of the file.
  ///
  /// Set by Google for files of Google Drive.
  public var fileId: String?
  /// The URL of the file.
  ///
  /// A request must say.
  public var fileUrl: String?
  /// The URL of an icon.
  ///
  /// For files of other services than Google Drive.
  public var iconLink: String?
  /// The media type.
  public var mimeType: String?
  /// The title.
  public var title: String?
  /// The fields that this version of the module does not know.
  public var additionalFields: [String: JSONValue] = [:]

  /// Creates a value without fields.
  public init() {}

  /// Visits every field, to read or to write it.
  public mutating func visitFields(_ field: inout FieldVisitor) {
    field("fileId", &fileId)
    field("fileUrl", &fileUrl)
    field("iconLink", &iconLink)
    field("mimeType", &mimeType)
    field("title", &title)
  }
}
