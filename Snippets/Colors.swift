// Colours: what the tutorials wrote a category for.
import HexColor

let blue = try RGBColor(hex: "#3f51b5")
let unknown = RGBColor(hex: "no colour", default: .white)
print(blue, blue.readableForeground, blue.contrastRatio(with: .white), unknown)
