// SPDX-License-Identifier: Apache-2.0

import SwiftUI

@main
struct LinkedApp: App {
  @State private var model = LinkingModel.ofThisApp()

  var body: some Scene {
    WindowGroup {
      Text("Your app")
        // The system calls this for universal links, whether the app was running or is started by the link.
        .onOpenURL { link in
          if !model.handle(link) { print("Another link of the app's") }
        }
        .sheet(isPresented: .constant(model.state != .idle)) {
          ConsentView(model: model).interactiveDismissDisabled()
        }
    }
  }
}
