// SPDX-License-Identifier: Apache-2.0

import CalendarAPI
import HexColor
import Testing

struct AppearanceTests {
  private static let ink = RGBColor(red: 0x1D, green: 0x1D, blue: 0x1D)
  private static let teal = RGBColor(red: 0x00, green: 0x40, blue: 0x40)
  private static let lime = RGBColor(red: 0xB3, green: 0xDC, blue: 0x6C)

  private let colors = Colors {
    $0.calendar = [
      "10": ColorDefinition {
        $0.background = lime; $0.foreground = ink
      }, "11": ColorDefinition(),
    ]
    $0.event = ["10": ColorDefinition { $0.background = teal }]
  }

  @Test func anEntrysOwnColoursComeFirst() {
    let entry = CalendarListEntry {
      $0.colorID = "10"
      $0.backgroundColor = Self.teal
      $0.foregroundColor = Self.lime
    }
    #expect(colors.appearance(of: entry) == Colors.Appearance(background: Self.teal, foreground: Self.lime))
  }

  /// Google writes `#1d1d1d` on everything.
  @Test(arguments: [
    (RGBColor(red: 0xDC, green: 0x21, blue: 0x27), RGBColor.white, "event colour 11: 3.4, white 4.9"),
    (RGBColor(red: 0xAC, green: 0x72, blue: 0x5E), .black, "calendar colour 1: 4.3, black 5.3"),
    (RGBColor(red: 0xD0, green: 0x6B, blue: 0x64), ink, "calendar colour 2: 4.8, black 6.0"), (lime, ink, "10.7"),
  ]) func aForegroundThatCanHardlyBeReadGivesWay(_ background: RGBColor, _ foreground: RGBColor, _ reason: String) {
    let definition = ColorDefinition {
      $0.background = background
      $0.foreground = Self.ink
    }
    let palette = Colors {
      $0.calendar = ["1": definition]
      $0.event = ["1": definition]
    }
    let own = CalendarListEntry {
      $0.backgroundColor = background
      $0.foregroundColor = Self.ink
    }
    let readable = Colors.Appearance(background: background, foreground: foreground)
    #expect(palette.appearance(of: CalendarListEntry { $0.colorID = "1" }) == readable, "\(reason)")
    #expect(palette.appearance(of: Event { $0.colorID = "1" }) == readable, "\(reason)")
    #expect(palette.appearance(of: own) == readable, "\(reason)")
    #expect(own.appearance == readable, "\(reason)")
    #expect(Colors.Appearance(definition) == readable, "\(reason)")
  }

  @Test func thenThePaletteThenTheDefault() {
    let blue = Colors.Appearance(background: RGBColor(red: 0, green: 0, blue: 255))
    #expect(
      colors.appearance(of: CalendarListEntry { $0.colorID = "10" })
        == Colors.Appearance(background: Self.lime, foreground: Self.ink))
    #expect(colors.appearance(of: CalendarListEntry { $0.colorID = "99" }, default: blue) == blue)
    #expect(colors.appearance(of: CalendarListEntry { $0.colorID = "11" }, default: blue) == blue)
    #expect(colors.appearance(of: CalendarListEntry()) == .plain)
    #expect(CalendarListEntry { $0.colorID = "10" }.appearance == .plain)
    #expect(CalendarListEntry { $0.backgroundColor = Self.teal }.appearance.foreground == .white)
    #expect(Colors().appearance(of: CalendarListEntry { $0.colorID = "10" }) == .plain)
  }

  @Test func anEventTakesItsLabelThenItsColourThenItsCalendars() {
    let label = EventLabel {
      $0.id = "l"
      $0.backgroundColor = .black
    }
    var event = Event {
      $0.colorID = "10"
      $0.eventLabelID = "l"
    }
    let entry = CalendarListEntry { $0.backgroundColor = Self.lime }
    #expect(
      colors.appearance(of: event, in: entry, labels: [label])
        == Colors.Appearance(background: .black, foreground: .white))
    #expect(colors.appearance(of: event, in: entry).background == Self.teal)
    event.colorID = nil
    #expect(colors.appearance(of: event, in: entry).background == Self.lime)
    #expect(colors.appearance(of: event) == .plain)
  }
}
