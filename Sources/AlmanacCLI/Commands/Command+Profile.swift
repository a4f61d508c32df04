// SPDX-License-Identifier: Apache-2.0

import OpenIDConnect
import PlatformFoundation

extension Command {
  static let profile = Command(
    name: "profile",
    summary: "Show the user's profile from the server.",
    options: Session.serverOptions
  ) { context in
    let session = try await Session(context)
    let profile = try await session.account.profile()
    if context.isJSON {
      try context.writeJSON(profile)
    } else {
      let picture = profile.picture.map { [("Picture", $0.absoluteString)] } ?? []
      for (label, value) in profile.rows + picture {
        context.terminal.line("\(label.fitted(to: 12)) \(value)")
      }
    }
  }
}

extension UserProfile {
  /// The profile's present members, with labels, without the picture.
  var rows: [(String, String)] {
    [
      ("Name", name), ("Given name", givenName), ("Family name", familyName),
      ("E-mail", email.map { isEmailVerified == true ? "\($0) (verified)" : $0 }), ("Locale", locale),
      ("Subject", subject),
    ].compactMap { label, value in value.map { (label, $0) } }
  }
}
