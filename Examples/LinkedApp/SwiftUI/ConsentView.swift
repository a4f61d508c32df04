// SPDX-License-Identifier: Apache-2.0

import AppFlip
import SwiftUI

/// The screen that asks the user for consent to link the account with Google.
struct ConsentView: View {
  let model: LinkingModel

  var body: some View {
    VStack(spacing: 16) {
      switch model.state {
      case .idle:
        EmptyView()
      case .signInRequired(let request):
        Text("Sign in to link your account with Google").font(.headline)
        Button("Sign In") { Task { await model.signIn(request) } }
        Button("Cancel", role: .cancel) { Task { await model.deny(request) } }
      case .asking(let request):
        Text("Link your account with Google?").font(.headline)
        Text("Google will be able to use:")
        ForEach(request.scopes, id: \.self) { scope in Text(scope.rawValue) }
        Button("Agree and Link") { Task { await model.allow(request) } }
        Button("Cancel", role: .cancel) { Task { await model.deny(request) } }
      case .preparing:
        ProgressView()
      case .linking:
        ProgressView("Linking…")
      case .undelivered:
        Text("Go back to the Google app to finish.")
        Button("OK") { model.dismiss() }
      }
    }
    .padding()
  }
}
