// SPDX-License-Identifier: Apache-2.0

// Colours: paint a row as Google Calendar does.
//
// It replaces a category on UIColor that read six hexadecimal digits with a scanner, took whatever the scanner left where
// there was none, and gave a default for a wrong length alone.
import HexColor

let blue = try RGBColor(hex: "#3f51b5")
let unknown = RGBColor(hex: "no colour", default: .white)
print(blue, blue.readableForeground, blue.contrastRatio(with: .white), unknown)
