// SPDX-License-Identifier: Apache-2.0

/// An encoding of names and values in a form, a query or a path.
///
/// ```swift
/// let form: FormFields = ["scope": "openid email", "state": "a+b"]
/// FormEncoding.form.encodedBytes(form)                    // scope=openid+email&state=a%2Bb, as bytes
/// FormEncoding.query.encode(form)                         // scope=openid%20email&state=a%2Bb
/// FormEncoding.pathSegment("notes/2026")                  // notes%2F2026
/// ```
public enum FormEncoding: Sendable, Hashable {
  /// `application/x-www-form-urlencoded` ([WHATWG URL § 5](https://url.spec.whatwg.org/#application/x-www-form-urlencoded)).
  ///
  /// A space becomes `+`. All bytes except ASCII letters, digits and `*-._` are escaped.
  case form

  /// The query of a URL ([RFC 3986 § 2.3](https://www.rfc-editor.org/rfc/rfc3986.html#section-2.3)).
  ///
  /// A space becomes `%20`. All bytes except ASCII letters, digits and `-._~` are escaped. A `+` is decoded as a plus sign.
  case query
}

extension FormEncoding {
  /// Appends `name=value&name=value…`, escaped.
  ///
  /// Allocates nothing but the growth of `buffer`: three times the length of the fields, less its unused capacity.
  ///
  /// - Complexity: O(*n*), where *n* is the length of the fields.
  public func append(_ fields: FormFields, to buffer: inout [UInt8]) {
    PercentEncoder.append(fields.fields, to: &buffer, self)
  }

  /// Appends one name or value, escaped.
  public func append(_ component: String, to buffer: inout [UInt8]) {
    PercentEncoder.append(component, to: &buffer, self)
  }

  /// Appends one name or value given as bytes, escaped.
  ///
  /// The bytes need not be UTF-8.
  public func append(_ component: Span<UInt8>, to buffer: inout [UInt8]) {
    PercentEncoder.append(component, to: &buffer, self)
  }
}

extension FormEncoding {
  /// Returns `name=value&name=value…`, escaped, as bytes for a request body.
  public func encodedBytes(_ fields: FormFields) -> [UInt8] {
    var buffer: [UInt8] = []
    append(fields, to: &buffer)
    return buffer
  }

  /// Returns `name=value&name=value…`, escaped, as a string for the query of a URL.
  public func encode(_ fields: FormFields) -> String {
    String(decoding: encodedBytes(fields), as: UTF8.self)
  }

  /// Returns one name or value, escaped.
  public func encode(_ component: String) -> String {
    var buffer: [UInt8] = []
    append(component, to: &buffer)
    return String(decoding: buffer, as: UTF8.self)
  }

  /// Returns one path segment, escaped, so an identifier cannot change the path.
  ///
  /// Escapes all but the unreserved characters of [RFC 3986 § 2.3](https://www.rfc-editor.org/rfc/rfc3986.html#section-2.3).
  ///
  /// - Returns: The escaped segment, or `nil` for an empty segment, `.` and `..`. Servers resolve these even if they are escaped,
  ///   so the request would reach another resource.
  public static func pathSegment(_ segment: String) -> String? {
    segment.isEmpty || segment == "." || segment == ".." ? nil : query.encode(segment)
  }
}

extension FormEncoding {
  /// Decodes `name=value&name=value…`.
  ///
  /// As in the standard, every text is valid. Empty pieces are skipped, and a piece without `=` is a name with an empty value. A
  /// `%` without two hexadecimal digits is kept, and invalid UTF-8 becomes U+FFFD.
  public func decode(_ text: String) -> FormFields {
    // A native string gives access to its bytes. A bridged one returns `nil` and is copied.
    unsafe text.utf8.withContiguousStorageIfAvailable { unsafe decode($0.span) } ?? decode(Array(text.utf8).span)
  }

  /// Decodes `name=value&name=value…` from bytes.
  ///
  /// See ``decode(_:)-(String)``.
  public func decode(_ text: Span<UInt8>) -> FormFields {
    var fields = FormFields()
    var start = 0
    while start < text.count {
      var (equals, end) = (-1, start)
      while end < text.count, text[end] != UInt8(ascii: "&") {
        if text[end] == UInt8(ascii: "="), equals < 0 { equals = end }
        end += 1
      }
      if end > start {
        let nameEnd = equals < 0 ? end : equals
        fields.append(
          decodeComponent(text.extracting(start..<nameEnd)),
          decodeComponent(text.extracting(min(nameEnd + 1, end)..<end)))
      }
      start = end + 1
    }
    return fields
  }

  /// Decodes one name or value.
  public func decodeComponent(_ text: Span<UInt8>) -> String {
    PercentDecoder.decode(text, plusIsSpace: self == .form)
  }
}
