// SPDX-License-Identifier: Apache-2.0

import SwiftUI

@main
struct LinkedApp: App {
  @State private var model = Result { try LinkingModel.ofThisApp() }

  var body: some Scene {
    WindowGroup {
      switch model {
      case .success(let model):
        Text("Your app")
          // The system calls this for universal links, both at launch and while the app runs.
          .onOpenURL { link in
            if !model.handle(link) { print("Another link of the app's") }
          }
          .sheet(isPresented: .constant(model.state != .idle)) {
            ConsentView(model: model).interactiveDismissDisabled()
          }
      case .failure(let error):
        ContentUnavailableView("Not set up", systemImage: "wrench", description: Text(String(describing: error)))
      }
    }
  }
}
