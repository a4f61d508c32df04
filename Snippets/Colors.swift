// SPDX-License-Identifier: Apache-2.0

// Read colours and compute a readable foreground, as Google Calendar does.
//
// It replaces a category on UIColor that parsed six hexadecimal digits with a scanner. The category used arbitrary values for
// other characters, and the default only for a wrong length.
import HexColor

let blue = try RGBColor(hex: "#3f51b5")
let unknown = RGBColor(hex: "no colour", default: .white)
print(blue, blue.readableForeground, blue.contrastRatio(with: .white), unknown)
