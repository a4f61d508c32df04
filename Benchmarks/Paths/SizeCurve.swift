// SPDX-License-Identifier: Apache-2.0

import BenchmarkHarness
import Foundation
import HTTPTransport

/// Payload encoding of one value from 8 bytes to 1 MiB, with one escaped byte in a hundred.
enum SizeCurve {
  static let title = "payload by size"

  static func plot(_ effort: Effort) -> Plot {
    let ways: [(Character, String)] = [("o", "ours"), ("u", "URLComponents"), ("a", "addingPercentEncoding")]
    let points = [8, 16, 32, 64, 128, 512, 4096, 32768, 262_144, 1_048_576].map { size in
      (size: size, costs: row(size).measure(effort).map { $0.minimum / Double(size) })
    }
    return Plot(title: title, ways: ways, points: points)
  }

  private static func row(_ size: Int) -> Row {
    var numbers = SeededNumbers(seed: UInt64(size))
    let text = Payload.asciiText(size, &numbers)
    let item = URLQueryItem(name: "", value: text)
    var buffer: [UInt8] = []
    return Row(
      title, "\(size)", bytes: size,
      ours: Contender("ours") {
        buffer.removeAll(keepingCapacity: true)
        FormEncoding.form.append(text, to: &buffer)
        return buffer.count
      },
      baselines: [
        Contender("URLComponents") { PayloadBaseline.components([item]).utf8.count },
        Contender("addingPercentEncoding") { PayloadBaseline.addingPercentEncoding([("", text)]).utf8.count },
      ])
  }
}
