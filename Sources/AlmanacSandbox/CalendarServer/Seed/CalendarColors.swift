// SPDX-License-Identifier: Apache-2.0

import HexColor
import JSONCoding

/// The colors of Google's Calendar API for calendars and events.
enum CalendarColors {
  struct Color {
    let id: String
    let background: String
  }

  /// The text color of all colors.
  static let foreground = "#1d1d1d"

  static let calendar = numbered([
    "#ac725e", "#d06b64", "#f83a22", "#fa573c", "#ff7537", "#ffad46", "#42d692", "#16a765", "#7bd148", "#b3dc6c",
    "#fbe983", "#fad165", "#92e1c0", "#9fe1e7", "#9fc6e7", "#4986e7", "#9a9cff", "#b99aff", "#c2c2c2", "#cabdbf",
    "#cca6ac", "#f691b2", "#cd74e6", "#a47ae2",
  ])

  static let event = numbered([
    "#a4bdfc", "#7ae7bf", "#dbadff", "#ff887c", "#fbd75b", "#ffb878", "#46d6db", "#e1e1e1", "#5484ed", "#51b749",
    "#dc2127",
  ])

  /// The `Colors` resource.
  static let resource: [String: JSONValue] = [
    "kind": "calendar#colors", "updated": "2012-02-14T00:00:00.000Z", "calendar": table(calendar),
    "event": table(event),
  ]

  /// Returns the color fields of a calendar list entry.
  static func fields(of colorID: String) -> [String: JSONValue] {
    guard let color = calendar.first(where: { $0.id == colorID }) else { return [:] }
    return [
      "colorId": .string(colorID), "backgroundColor": .string(color.background),
      "foregroundColor": .string(foreground),
    ]
  }

  /// Returns the identifier of the color nearest to a `#rrggbb` color, or `nil` if the text has another format.
  ///
  /// Not measured: the distance used by Google.
  static func nearest(to color: String) -> String? {
    guard let wanted = try? RGBColor(hex: color), wanted.alpha == 255, wanted.hex == color.lowercased()
    else { return nil }
    func distance(_ color: Color) -> Int {
      let found = RGBColor(hex: color.background, default: .white)
      return [(found.red, wanted.red), (found.green, wanted.green), (found.blue, wanted.blue)].reduce(0) {
        let difference = Int($1.0) - Int($1.1)
        return $0 + difference * difference
      }
    }
    return calendar.min { distance($0) < distance($1) }?.id
  }

  private static func numbered(_ backgrounds: [String]) -> [Color] {
    backgrounds.enumerated().map { Color(id: String($0.offset + 1), background: $0.element) }
  }

  private static func table(_ colors: [Color]) -> JSONValue {
    .object(
      Dictionary(
        uniqueKeysWithValues: colors.map { color in
          (color.id, ["background": .string(color.background), "foreground": .string(foreground)])
        }))
  }
}
