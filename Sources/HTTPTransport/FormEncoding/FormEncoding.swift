// SPDX-License-Identifier: Apache-2.0

/// How names and values are written in a form, a query or a path, and read back.
///
/// ```swift
/// let form: FormFields = ["scope": "openid email", "state": "a+b"]
/// FormEncoding.form.encodedBytes(form)                    // scope=openid+email&state=a%2Bb, as bytes
/// FormEncoding.query.encode(form)                         // scope=openid%20email&state=a%2Bb
/// FormEncoding.pathSegment("notes/2026")                  // notes%2F2026
/// ```
public enum FormEncoding: Sendable, Hashable {
  /// `application/x-www-form-urlencoded` as browsers and servers agree on it
  /// ([WHATWG URL § 5](https://url.spec.whatwg.org/#application/x-www-form-urlencoded)): a space is `+`, and only ASCII
  /// letters, digits and `*-._` stand for themselves.
  case form

  /// The query of a URL as [RFC 3986](https://www.rfc-editor.org/rfc/rfc3986.html#section-2.3) has it: a space is
  /// `%20`, only ASCII letters, digits and `-._~` stand for themselves, and a `+` that is read is a plus sign.
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
  /// Returns `name=value&name=value…`, escaped, as bytes: what a request carries.
  public func encodedBytes(_ fields: FormFields) -> [UInt8] {
    var buffer: [UInt8] = []
    append(fields, to: &buffer)
    return buffer
  }

  /// Returns `name=value&name=value…`, escaped, as a string: the query of a URL.
  public func encode(_ fields: FormFields) -> String {
    String(decoding: encodedBytes(fields), as: UTF8.self)
  }

  /// Returns one name or value, escaped.
  public func encode(_ component: String) -> String {
    var buffer: [UInt8] = []
    append(component, to: &buffer)
    return String(decoding: buffer, as: UTF8.self)
  }

  /// Returns one segment of a path, escaped, so that an identifier cannot change the path it is put in.
  ///
  /// Everything but the unreserved characters of [RFC 3986 § 2.3](https://www.rfc-editor.org/rfc/rfc3986.html#section-2.3)
  /// is escaped.
  ///
  /// - Returns: The escaped segment; `nil` for an empty one, `.` and `..`, which a server resolves away whether or not they
  ///   are escaped, so that the request would reach another resource.
  public static func pathSegment(_ segment: String) -> String? {
    segment.isEmpty || segment == "." || segment == ".." ? nil : query.encode(segment)
  }
}

extension FormEncoding {
  /// Reads `name=value&name=value…`.
  ///
  /// Any text can be read, as the standard says: empty pieces are left out, a piece without `=` is a name with an empty
  /// value, a `%` without two hexadecimal digits stands for itself, and what is not UTF-8 becomes U+FFFD.
  public func decode(_ text: String) -> FormFields {
    // A native string lends its bytes; `nil` means a bridged one, which has to be copied first.
    unsafe text.utf8.withContiguousStorageIfAvailable { unsafe decode($0.span) } ?? decode(Array(text.utf8).span)
  }

  /// Reads `name=value&name=value…` from bytes; see ``decode(_:)-(String)``.
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

  /// Reads one name or value.
  public func decodeComponent(_ text: Span<UInt8>) -> String {
    PercentDecoder.decode(text, plusIsSpace: self == .form)
  }
}
