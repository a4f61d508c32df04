// SPDX-License-Identifier: Apache-2.0

import Foundation
import OpenIDConnect

/// The user as the profile screen shows them.
nonisolated struct Profile: Identifiable, Equatable {
  let id: String
  /// Where the avatar is.
  let picture: URL?
  /// The bytes of the avatar's file, once they have been loaded.
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
