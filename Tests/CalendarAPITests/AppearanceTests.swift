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
      $0.colorId = "10"
      $0.backgroundColor = Self.teal
      $0.foregroundColor = Self.lime
    }
    #expect(colors.appearance(of: entry) == Colors.Appearance(background: Self.teal, foreground: Self.lime))
  }

  @Test func aForegroundNobodyGaveIsReadable() {
    let dark = CalendarListEntry { $0.backgroundColor = Self.teal }
    let light = CalendarListEntry { $0.backgroundColor = Self.lime }
    #expect(colors.appearance(of: dark).foreground == .white)
    #expect(colors.appearance(of: light).foreground == .black)
  }

  @Test func thenThePaletteThenTheDefault() {
    let blue = Colors.Appearance(background: RGBColor(red: 0, green: 0, blue: 255))
    #expect(
      colors.appearance(of: CalendarListEntry { $0.colorId = "10" })
        == Colors.Appearance(background: Self.lime, foreground: Self.ink))
    #expect(colors.appearance(of: CalendarListEntry { $0.colorId = "99" }, default: blue) == blue)
    #expect(colors.appearance(of: CalendarListEntry { $0.colorId = "11" }, default: blue) == blue)
    #expect(colors.appearance(of: CalendarListEntry()) == .plain)
    #expect(Colors().appearance(of: CalendarListEntry { $0.colorId = "10" }) == .plain)
  }

  @Test func aMalformedColourIsPassedOver() throws {
    let entry = try CalendarListEntry(json: Array(#"{"colorId":"10","backgroundColor":"mauve-ish"}"#.utf8))
    #expect(colors.appearance(of: entry).background == Self.lime)
  }

  @Test func anEventTakesItsLabelThenItsColourThenItsCalendars() {
    let label = EventLabel {
      $0.id = "l"
      $0.backgroundColor = .black
    }
    var event = Event {
      $0.colorId = "10"
      $0.eventLabelId = "l"
    }
    let entry = CalendarListEntry { $0.backgroundColor = Self.lime }
    #expect(
      colors.appearance(of: event, in: entry, labels: [label])
        == Colors.Appearance(background: .black, foreground: .white))
    #expect(colors.appearance(of: event, in: entry).background == Self.teal)
    event.colorId = nil
    #expect(colors.appearance(of: event, in: entry).background == Self.lime)
    #expect(colors.appearance(of: event) == .plain)
  }
}
