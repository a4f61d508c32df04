// SPDX-License-Identifier: Apache-2.0

public import JSONCoding

extension CalendarError {
  /// A write whose outcome is unknown: the server may have carried it out, but no response confirms it.
  ///
  /// ```swift
  /// do {
  ///   try await client.events.insert(event, in: "primary")
  /// } catch let error as CalendarError where error.code == .outcomeUnknown {
  ///   guard let outcome = error.unknownOutcome, let lookup = outcome.lookup else { throw error }
  ///   do {
  ///     print("It is there:", try await client.send(lookup)["summary"]?.string ?? "")
  ///   } catch let error as CalendarError where error.code == .notFound {
  ///     var again = event
  ///     again.id = outcome.identifier  // the same event, and no second one
  ///     try await client.events.insert(again, in: "primary")
  ///   }
  /// }
  /// ```
  ///
  /// Its description never contains the identifier.
  public struct UnknownOutcome: Sendable {
    /// The name of the API's method, such as `events.insert`.
    public let method: String
    /// The identifier of the written resource, or `nil` if the server chooses it.
    ///
    /// It identifies the event, calendar, access rule or channel. For an import, it is the `iCalUID`. If an event was inserted
    /// without an identifier, the client generated this identifier.
    public let identifier: String?
    /// The request that reads the current state, or `nil` for channels, which cannot be read.
    ///
    /// The request reads the resource, or the list containing it. If the resource does not exist, reading it fails with
    /// ``Code/notFound``.
    public let lookup: CalendarRequest<JSONValue>?
    /// Whether the same request can be sent again without a further effect.
    public let isRepeatable: Bool
  }
}

extension CalendarError.UnknownOutcome: CustomStringConvertible, CustomReflectable {
  /// The name of the method.
  public var description: String { method }

  /// A mirror without the identifier.
  public var customMirror: Mirror { Mirror(self, children: ["method": method, "isRepeatable": isRepeatable]) }
}
