// SPDX-License-Identifier: Apache-2.0

import SwiftUI

@main
struct CalendarsApp: App {
  @State private var model = Result { try CalendarsModel.ofThisLaunch() }

  var body: some Scene {
    WindowGroup {
      switch model {
      case .success(let model):
        CalendarsView(model: model)
      case .failure(let error):
        ContentUnavailableView("Not set up", systemImage: "wrench", description: Text(String(describing: error)))
      }
    }
    .commands {
      // macOS has no gesture to reload.
      CommandGroup(after: .toolbar) {
        if case .success(let model) = model {
          Button("Reload") { Task { await model.refresh() } }
            .keyboardShortcut("r")
            .disabled(!model.canRefresh)
        }
      }
    }
  }
}
