// SPDX-License-Identifier: Apache-2.0

import Foundation
import OpenIDConnect

/// The user as the profile screen shows them.
struct Profile: Identifiable, Equatable {
  let id: String
  let avatar: URL?
  let name: String
  let givenName: String?
  let familyName: String?
  let email: String?

  init(_ profile: UserProfile) {
    id = profile.subject
    avatar = profile.picture
    name = profile.name ?? profile.email ?? profile.subject
    givenName = profile.givenName
    familyName = profile.familyName
    email = profile.email
  }
}
