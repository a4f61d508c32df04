// SPDX-License-Identifier: Apache-2.0

import SwiftUI

/// The profile of the signed-in user.
struct ProfileView: View {
  let profile: Profile

  @Environment(\.dismiss) private var dismiss

  var body: some View {
    NavigationStack {
      List {
        avatar.resizable().scaledToFit()
          .frame(width: 96, height: 96)
          .clipShape(Circle())
          .accessibilityHidden(true)
        LabeledContent("Name", value: profile.name)
        if let givenName = profile.givenName { LabeledContent("Given name", value: givenName) }
        if let familyName = profile.familyName { LabeledContent("Family name", value: familyName) }
        if let email = profile.email { LabeledContent("E-mail", value: email) }
      }
      .navigationTitle("My Profile")
      .toolbar { Button("Done") { dismiss() } }
    }
    .frame(minWidth: 320, minHeight: 320)
  }

  /// The placeholder until the avatar is loaded, or if its file is not an image.
  private var avatar: Image {
    profile.avatar.flatMap(Image.init(file:)) ?? Image(systemName: "person.crop.circle")
  }
}
