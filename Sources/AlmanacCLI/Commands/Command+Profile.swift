import Almanac
import OpenIDConnect

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Command {
  static let profile = Command(
    name: "profile",
    summary: "Show who is signed in.",
    options: Session.serverOptions
  ) { context in
    let session = try await Session(context)
    let profile = try await session.google.profile()
    if context.isJSON {
      try context.writeJSON(profile)
    } else {
      profile.rows.forEach { context.terminal.line("\($0.0.fitted(to: 10)) \($0.1.terminalSafe)") }
    }
  }
}

extension UserProfile {
  /// What there is to show of a person, with its labels.
  var rows: [(String, String)] {
    [
      ("Name", name), ("E-mail", email.map { emailVerified == true ? "\($0) (verified)" : $0 }), ("Locale", locale),
      ("Picture", picture?.absoluteString), ("Subject", subject),
    ].compactMap { label, value in value.map { (label, $0) } }
  }
}
