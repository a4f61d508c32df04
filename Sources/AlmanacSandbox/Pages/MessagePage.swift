/// A page that says one thing.
struct MessagePage {
  let title: String
  let message: String

  var html: String { page(title: title, "<h1>\(title.escapedForHTML)</h1>\n<p>\(message.escapedForHTML)</p>") }
}
