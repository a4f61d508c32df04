// SPDX-License-Identifier: Apache-2.0

import HexColor
import Testing

/// The numbers behind the conversions from and to the systems' colours.
struct ComponentsTests {
  @Test(
    arguments: [
      (0.0, 0), (1, 255), (0.5, 128), (0.001, 0), (0.999, 255), (128.0 / 255, 128),
      (-0.2, 0), (1.3, 255), (.infinity, 255), (-.infinity, 0), (.nan, 0),
    ] as [(Double, UInt8)])
  func theNearestChannelIsTaken(component: Double, channel: UInt8) {
    let color = RGBColor(red: component, green: 0, blue: component, opacity: component)
    #expect(color == RGBColor(red: channel, green: 0, blue: channel, alpha: channel))
  }

  @Test func everyChannelSurvivesTheWayThereAndBack() {
    for channel in UInt8.min ... .max {
      let color = RGBColor(red: channel, green: 255 - channel, blue: channel / 2, alpha: channel)
      let (red, green, blue, opacity) = color.components
      #expect(red == Double(channel) / 255 && green == Double(255 - channel) / 255)
      #expect(blue == Double(channel / 2) / 255 && opacity == red)
      #expect(RGBColor(red: red, green: green, blue: blue, opacity: opacity) == color)
      // Some systems keep single precision.
      #expect(RGBColor(red: Double(Float(red)), green: green, blue: blue, opacity: opacity) == color)
    }
  }
}
