// SPDX-License-Identifier: Apache-2.0

import Almanac
import SwiftUI

@main
struct CalendarsApp: App {
  @State private var model = Result { CalendarsModel(google: try .ofThisLaunch()) }

  var body: some Scene {
    WindowGroup {
      switch model {
      case .success(let model):
        CalendarsView(model: model)
      case .failure(let error):
        ContentUnavailableView("Not set up", systemImage: "wrench", description: Text(String(describing: error)))
      }
    }
  }
}
