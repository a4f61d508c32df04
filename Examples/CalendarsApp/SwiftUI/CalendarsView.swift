// SPDX-License-Identifier: Apache-2.0

import SwiftUI

/// The screen with the calendars in their colours, and the buttons Grant, My Profile and Revoke.
struct CalendarsView: View {
  @Bindable var model: CalendarsModel

  var body: some View {
    NavigationStack {
      List(model.calendars) { calendar in
        CalendarRowView(calendar: calendar)
      }
      .overlay { if model.calendars.isEmpty { placeholder } }
      .refreshable { await model.refresh() }
      .navigationTitle("Calendars")
      .toolbar { buttons }
    }
    .sheet(item: $model.profile) { profile in
      ProfileView(profile: profile)
    }
    .alert("Something went wrong", isPresented: $model.isFailureShown, presenting: model.failure) { failure in
      if let remedy = failure.remedy {
        Button(remedy.title) { Task { await model.resolve(failure) } }
      }
      Button("Cancel", role: .cancel) { model.dismiss() }
    } message: { failure in
      Text(failure.message)
    }
    .task { await model.run() }
  }

  @ViewBuilder private var placeholder: some View {
    if let progress = model.progress {
      ProgressView(progress)
    } else {
      ContentUnavailableView(
        "No calendars", systemImage: "calendar", description: Text("Grant access to see those of your account."))
    }
  }

  @ToolbarContentBuilder private var buttons: some ToolbarContent {
    ToolbarItemGroup(placement: .automatic) {
      if model.progress != nil, !model.calendars.isEmpty { ProgressView() }
      Button("Grant") { Task { await model.grant() } }
        .disabled(!model.canGrant)
      Button("My Profile") { Task { await model.showProfile() } }
        .disabled(!model.canShowProfile)
      Button("Revoke", role: .destructive) { Task { await model.revoke() } }
        .disabled(!model.canRevoke)
    }
  }
}
