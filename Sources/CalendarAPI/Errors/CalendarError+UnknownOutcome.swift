// SPDX-License-Identifier: Apache-2.0

public import JSONCoding

extension CalendarError {
  /// A write that may have been carried out, although no response says so.
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
  /// Its description never shows the identifier.
  public struct UnknownOutcome: Sendable {
    /// The name of the API's method, such as `events.insert`.
    public let method: String
    /// The identifier of what the request writes; `nil` if the server chooses it.
    ///
    /// It is that of the event, calendar, access rule or channel, and the `iCalUID` of an import. An event that was inserted without
    /// an identifier got this one.
    public let identifier: String?
    /// The request that reads what is there; `nil` for channels, which cannot be read.
    ///
    /// It is one for the resource, or for the list that would have it. A resource that is not there is ``Code/notFound``.
    public let lookup: CalendarRequest<JSONValue>?
    /// Whether the same request may be sent again without another effect.
    public let isRepeatable: Bool
  }
}

extension CalendarError.UnknownOutcome: CustomStringConvertible, CustomReflectable {
  /// The name of the method.
  public var description: String { method }

  /// A mirror without the identifier.
  public var customMirror: Mirror { Mirror(self, children: ["method": method, "isRepeatable": isRepeatable]) }
}
