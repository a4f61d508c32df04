// SPDX-License-Identifier: Apache-2.0

import Foundation
import OpenIDConnect

/// The user's data on the profile screen.
nonisolated struct Profile: Identifiable, Equatable {
  let id: String
  /// The URL of the avatar.
  let picture: URL?
  /// The bytes of the avatar's file, or `nil` until they are loaded.
  var avatar: Data?
  let name: String
  let givenName: String?
  let familyName: String?
  let email: String?

  init(_ profile: UserProfile) {
    id = profile.subject
    picture = profile.picture
    name = profile.name ?? profile.email ?? profile.subject
    givenName = profile.givenName
    familyName = profile.familyName
    email = profile.email
  }
}
