// SPDX-License-Identifier: Apache-2.0

import HexColor

/// The number of colours of a terminal.
package enum ColorDepth: Sendable, Equatable {
  /// No colours and no other escape sequences.
  case none
  /// The 16 colours of ANSI terminals.
  case sixteen
  /// The 256 colours of xterm.
  case palette
  /// 24-bit colours.
  case trueColor

  /// The depth for standard output.
  ///
  /// If `--color` is `auto`, `NO_COLOR` turns colours off, and `CLICOLOR_FORCE` turns them on, even for a pipe.
  ///
  /// - Parameters:
  ///   - when: The value of `--color`.
  ///   - environment: The environment.
  ///   - isTerminal: Whether standard output is a terminal.
  /// - Throws: ``UsageError``.
  package init(when: String, environment: [String: String], isTerminal: Bool) throws {
    let known = ColorDepth(environment)
    let forced = known == .none ? ColorDepth.trueColor : known
    switch when {
    case "always": self = forced
    case "never": self = .none
    case "auto":
      // https://no-color.org: any value except an empty one. https://bixense.com/clicolors: any value except 0.
      let force = environment["CLICOLOR_FORCE"] ?? ""
      if environment["NO_COLOR"]?.isEmpty == false {
        self = .none
      } else if !["", "0"].contains(force) {
        self = forced
      } else {
        self = isTerminal && environment["CLICOLOR"] != "0" ? known : .none
      }
    default: throw UsageError("--color must be auto, always or never.")
    }
  }

  /// The depth named by `TERM` and `COLORTERM`.
  private init(_ environment: [String: String]) {
    let (term, colorTerm) = (environment["TERM"] ?? "", environment["COLORTERM"] ?? "")
    guard environment.canSteerTerminal else {
      self = .none
      return
    }
    let isAny = { (parts: [String]) in parts.contains { term.contains($0) } }
    if ["truecolor", "24bit"].contains(colorTerm) || isAny(["direct", "truecolor", "24bit"] + Self.trueColorTerms) {
      self = .trueColor
    } else if term.contains("256color") {
      self = .palette
    } else if isAny(["mono"]) || term.hasSuffix("-m") {
      self = .none
    } else {
      self = !colorTerm.isEmpty || isAny(["color"] + Self.colorTerms) ? .sixteen : .none
    }
  }

  private static let trueColorTerms = ["kitty", "alacritty", "foot", "ghostty", "wezterm", "contour"]
  private static let colorTerms = [
    "xterm", "screen", "tmux", "rxvt", "linux", "ansi", "cygwin", "konsole", "putty", "gnome", "vte",
  ]
}

extension [String: String] {
  /// Whether the environment's terminal understands escape sequences.
  var canSteerTerminal: Bool { !["", "dumb"].contains(self["TERM"] ?? "") }
}

extension ColorDepth {
  /// Returns the parameters of the escape sequence for text on a background, or `nil` without colours.
  ///
  /// With a palette, the text is black or white if the nearest colours would be hard to read.
  func style(_ foreground: RGBColor, on background: RGBColor) -> String? {
    let colours: [RGBColor]
    let code: (Int, _ isBackground: Bool) -> String
    switch self {
    case .none: return nil
    case .trueColor:
      let text = { (color: RGBColor) in "\(color.red);\(color.green);\(color.blue)" }
      return "38;2;\(text(foreground));48;2;\(text(background))"
    case .palette: (colours, code) = (Self.xterm, { "\($1 ? 48 : 38);5;\($0 + 16)" })
    case .sixteen: (colours, code) = (Self.ansi, { "\(($0 < 8 ? 30 + $0 : 82 + $0) + ($1 ? 10 : 0))" })
    }
    guard let back = background.nearestIndex(in: colours), var front = foreground.nearestIndex(in: colours) else {
      return nil
    }
    if colours[front].contrastRatio(with: colours[back]) < 4.5 {
      front = colours[back].readableForeground.nearestIndex(in: colours) ?? front
    }
    return "\(code(front, false));\(code(back, true))"
  }

  /// The colours 16 to 255 of xterm.
  ///
  /// Users can change the first 16.
  private static let xterm: [RGBColor] = {
    let levels: [UInt8] = [0, 95, 135, 175, 215, 255]
    let cube = levels.flatMap { red in
      levels.flatMap { green in levels.map { RGBColor(red: red, green: green, blue: $0) } }
    }
    return cube + (0..<24).map { UInt8(8 + 10 * $0) }.map { RGBColor(red: $0, green: $0, blue: $0) }
  }()

  /// The 16 colours as xterm shows them by default.
  private static let ansi: [RGBColor] = [
    0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD, 0x00CDCD, 0xE5E5E5,
    0x7F7F7F, 0xFF0000, 0x00FF00, 0xFFFF00, 0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF,
  ].map {
    RGBColor(
      red: UInt8($0 >> 16), green: UInt8(truncatingIfNeeded: $0 >> 8), blue: UInt8(truncatingIfNeeded: $0))
  }

  /// The colours of the list of calendars, in words.
  var inWords: String {
    switch self {
    case .trueColor: "in their own colours"
    case .palette: "in the nearest of the terminal's 256 colours"
    case .sixteen: "in the nearest of the terminal's 16 colours"
    case .none: "with their colours as numbers"
    }
  }
}
