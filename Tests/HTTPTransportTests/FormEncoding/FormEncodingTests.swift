import HTTPTransport
import Testing

struct FormEncodingTests {
  @Test func keepsOrderRepetitionAndEmptiness() {
    let fields: FormFields = ["b": "1", "a": "", "": "x", "b": "2", "": ""]
    #expect(FormEncoding.form.encode(fields) as String == "b=1&a=&=x&b=2&=")
    #expect(FormEncoding.form.decode("b=1&a=&=x&b=2&=") == fields)
  }

  @Test func escapesAsEachStandardSays() {
    let fields: FormFields = ["a b": "*-._~+/:?é€😀"]
    #expect(FormEncoding.form.encode(fields) as String == "a+b=*-._%7E%2B%2F%3A%3F%C3%A9%E2%82%AC%F0%9F%98%80")
    #expect(FormEncoding.query.encode(fields) as String == "a%20b=%2A-._~%2B%2F%3A%3F%C3%A9%E2%82%AC%F0%9F%98%80")
  }
}
