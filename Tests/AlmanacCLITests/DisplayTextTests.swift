import AlmanacCLI
import Testing

@Suite struct DisplayTextTests {
  @Test(arguments: [
    ("Family", "Family"),
    ("\u{1B}[2Jgone", " [2Jgone"),
    ("a\r\nb\tc\u{7}", "a  b c "),
    ("right\u{202E}left", "right left"),
    ("line\u{2028}line\u{2029}", "line line "),
    ("\u{9B}31m", " 31m"),
    ("👩\u{200D}💻", "👩\u{200D}💻"),
  ])
  func whatSteersATerminalIsTakenOut(_ text: String, _ shown: String) {
    #expect(text.terminalSafe == shown)
  }
}
