// SPDX-License-Identifier: Apache-2.0

extension CalendarError {
  /// What to do about an error.
  ///
  /// More may be added: keep a `default` in a `switch`.
  public struct Remedy: Sendable, Hashable, CustomStringConvertible {
    /// The remedy's name.
    public let description: String
    /// What to do, in a sentence.
    let advice: String

    /// Whether both are the same.
    public static func == (left: Remedy, right: Remedy) -> Bool { left.description == right.description }

    /// Hashes the value.
    public func hash(into hasher: inout Hasher) { hasher.combine(description) }

    /// Change the request: as it is, it will never succeed.
    public static let changeRequest = Remedy(
      description: "changeRequest", advice: "Change the request: as it is, it will not succeed.")
    /// The access token was refused: refresh it once, and if that does not help, have the user sign in again.
    public static let signIn = Remedy(
      description: "signIn", advice: "Refresh the access token once; if that does not help, sign in again.")
    /// Send the same request again after a growing, jittered pause.
    public static let backOff = Remedy(
      description: "backOff", advice: "Send the request again after a growing, jittered pause.")
    /// A quota is used up, and may stay so for hours: stop until later.
    public static let pause = Remedy(
      description: "pause", advice: "Stop for now: the quota may stay used up for hours.")
    /// The account, the application or the granted scopes do not allow it.
    ///
    /// Just after a calendar was created, it may pass.
    public static let obtainAccess = Remedy(
      description: "obtainAccess",
      advice: "Ask for access: the account, the application or its scopes do not allow this.")
    /// Another client changed it first: read the resource again, apply the change to it, and send that.
    public static let refetch = Remedy(
      description: "refetch", advice: "Read the resource again, apply the change to that version, and send it.")
    /// The change may have been made: read the resource, and make the change only if it is not there.
    public static let checkOutcome = Remedy(
      description: "checkOutcome", advice: "Read the resource, and make the change only if it is not there.")
    /// What was kept of the collection is out of date: forget it and its sync token, and list everything again.
    public static let synchronizeFully = Remedy(
      description: "synchronizeFully", advice: "Forget the sync token and what was kept, and list everything again.")
    /// What was requested is so already, such as the deletion of a deleted event: treat it as done.
    public static let treatAsDone = Remedy(
      description: "treatAsDone", advice: "The resource is deleted already: treat a deletion as done.")
    /// The resource has not changed: use the copy that the entity tag is of.
    public static let useStored = Remedy(
      description: "useStored", advice: "Use the stored copy: the resource has not changed.")
    /// The response is not one of the Calendar API: look at the server, the URL and what is between.
    public static let inspectServer = Remedy(
      description: "inspectServer", advice: "Check the URL, and whatever is between this program and the server.")
  }
}

extension CalendarError.Remedy {
  /// The remedy when the server gave no reason that is known: all that is left is the status.
  init(status: Int?) {
    self =
      switch status ?? 0 {
      case 401: .signIn
      case 403: .obtainAccess
      case 412: .refetch
      case 408, 429, 500...: .backOff
      case 400..<500: .changeRequest
      default: .inspectServer
      }
  }
}
