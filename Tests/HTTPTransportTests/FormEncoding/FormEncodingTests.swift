// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import Testing

struct FormEncodingTests {
  @Test(
    arguments: [
      ([:], ""),
      (["": ""], "="),
      (["b": "1", "a": "", "": "x", "b": "2", "": ""], "b=1&a=&=x&b=2&="),
      (["a b": "*-._~+/:?"], "a+b=*-._%7E%2B%2F%3A%3F"),
      (["é€😀": "\u{0}\u{7F}\r\n"], "%C3%A9%E2%82%AC%F0%9F%98%80=%00%7F%0D%0A"),
      (["a&b=c": "100%"], "a%26b%3Dc=100%25"),
    ] as [(FormFields, String)])
  func writesAndReadsForms(fields: FormFields, text: String) {
    #expect(FormEncoding.form.encode(fields) == text)
    #expect(FormEncoding.form.decode(text) == fields)
    #expect(FormEncoding.form.decode(Array(text.utf8).span) == fields)
  }

  @Test(
    arguments: [
      (["a b": "*-._~+/:?"], "a%20b=%2A-._~%2B%2F%3A%3F"),
      (
        ["scope": "https://www.googleapis.com/auth/calendar openid"],
        "scope=https%3A%2F%2Fwww.googleapis.com%2Fauth%2Fcalendar%20openid"
      ),
    ] as [(FormFields, String)])
  func writesAndReadsQueries(fields: FormFields, text: String) {
    #expect(FormEncoding.query.encode(fields) == text)
    #expect(FormEncoding.query.decode(text) == fields)
    #expect(FormEncoding.form.decode(text) == fields, "a form reader reads a query too")
  }

  @Test(
    arguments: [
      ("&&a&&=&", ["a": "", "": ""]),
      ("a=b=c", ["a": "b=c"]),
      ("a=%", ["a": "%"]),
      ("a=%4&b=%zz%4z%41", ["a": "%4", "b": "%zz%4zA"]),
      ("a=%E2%82&b=\u{FEFF}%EF%BB%BF", ["a": "\u{FFFD}", "b": "\u{FEFF}\u{FEFF}"]),
      ("%61+b=%2B+", ["a b": "+ "]),
      ("é=ü", ["é": "ü"]),
    ] as [(String, FormFields)])
  func readsWhateverComes(text: String, fields: FormFields) {
    #expect(FormEncoding.form.decode(text) == fields)
  }

  @Test func keepsThePlusInAQuery() {
    #expect(FormEncoding.query.decode("a=1+1%202") == ["a": "1+1 2"])
  }

  @Test func appendsToWhatIsThere() {
    var buffer = Array("https://example.com/?".utf8)
    FormEncoding.query.append(["a": "ü"], to: &buffer)
    buffer.append(UInt8(ascii: "#"))
    FormEncoding.query.append("b c", to: &buffer)
    FormEncoding.form.append(([0xFF, 0x20] as [UInt8]).span, to: &buffer)
    #expect(String(decoding: buffer, as: UTF8.self) == "https://example.com/?a=%C3%BC#b%20c%FF+")
  }

  @Test(
    arguments: [
      ("primary", "primary"), ("team/room?#%", "team%2Froom%3F%23%25"), ("ana@example.com", "ana%40example.com"),
      ("...", "..."), ("", nil), (".", nil), ("..", nil),
    ] as [(String, String?)])
  func keepsASegmentASegment(segment: String, escaped: String?) {
    #expect(FormEncoding.pathSegment(segment) == escaped)
  }
}
