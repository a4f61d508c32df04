// SPDX-License-Identifier: Apache-2.0

public import Timekeeping

extension Events: Page {
  /// What `events.list` takes.
  ///
  /// What is `nil` or empty is not sent.
  public struct Query: Sendable, Hashable {
    /// Ignored by Google.
    ///
    /// Deprecated.
    public var alwaysIncludeEmail: Bool?
    /// Lists only events of these kinds; all when it is empty.
    public var eventTypes: [Event.Kind]
    /// Lists only events with this ``Event/iCalUID``.
    public var iCalUID: String?
    /// How many attendees an event has at most.
    ///
    /// If there are more, only the user is given, and ``Event/attendeesOmitted`` is true.
    public var maxAttendees: Int?
    /// How many events a page has at most: 250 unless told, at most 2,500.
    ///
    /// A page may have fewer.
    public var maxResults: Int?
    /// The order; one that Google does not promise unless told.
    public var orderBy: Order?
    /// Which page, from ``Events/nextPageToken``.
    public var pageToken: String?
    /// Lists only events with these private extended properties, each `name=value`.
    public var privateExtendedProperty: [String]
    /// Words to look for in titles, descriptions, places, names and addresses.
    public var q: String?
    /// Lists only events with these shared extended properties, each `name=value`.
    public var sharedExtendedProperty: [String]
    /// Whether cancelled events are listed too.
    ///
    /// False unless told.
    public var showDeleted: Bool?
    /// Whether invitations that are hidden are listed too.
    ///
    /// False unless told.
    public var showHiddenInvitations: Bool?
    /// Whether a series is given as its instances.
    ///
    /// False unless told.
    public var singleEvents: Bool?
    /// Lists only what has changed, from ``Events/nextSyncToken``.
    ///
    /// All other parameters must be as they were at first; it cannot go with ``iCalUID``, ``orderBy``,
    /// ``privateExtendedProperty``, ``q``, ``sharedExtendedProperty``, ``timeMin``, ``timeMax`` and ``updatedMin``, nor
    /// with a ``showDeleted`` that is false.
    public var syncToken: String?
    /// Lists only events that start before.
    public var timeMax: Timestamp?
    /// Lists only events that end after.
    public var timeMin: Timestamp?
    /// The time zone of the response as the IANA names it; the calendar's unless told.
    public var timeZone: String?
    /// Lists only events that were changed since, those that were deleted included.
    public var updatedMin: Timestamp?

    /// Creates a query.
    public init(
      alwaysIncludeEmail: Bool? = nil,
      eventTypes: [Event.Kind] = [],
      iCalUID: String? = nil,
      maxAttendees: Int? = nil,
      maxResults: Int? = nil,
      orderBy: Order? = nil,
      pageToken: String? = nil,
      privateExtendedProperty: [String] = [],
      q: String? = nil,
      sharedExtendedProperty: [String] = [],
      showDeleted: Bool? = nil,
      showHiddenInvitations: Bool? = nil,
      singleEvents: Bool? = nil,
      syncToken: String? = nil,
      timeMax: Timestamp? = nil,
      timeMin: Timestamp? = nil,
      timeZone: String? = nil,
      updatedMin: Timestamp? = nil
    ) {
      self.alwaysIncludeEmail = alwaysIncludeEmail
      self.eventTypes = eventTypes
      self.iCalUID = iCalUID
      self.maxAttendees = maxAttendees
      self.maxResults = maxResults
      self.orderBy = orderBy
      self.pageToken = pageToken
      self.privateExtendedProperty = privateExtendedProperty
      self.q = q
      self.sharedExtendedProperty = sharedExtendedProperty
      self.showDeleted = showDeleted
      self.showHiddenInvitations = showHiddenInvitations
      self.singleEvents = singleEvents
      self.syncToken = syncToken
      self.timeMax = timeMax
      self.timeMin = timeMin
      self.timeZone = timeZone
      self.updatedMin = updatedMin
    }
  }
}

extension Events.Query {
  /// An order of events.
  public struct Order: OpenEnumeration {
    /// The value as it is sent.
    public let rawValue: String

    /// Creates a value from its text as it is sent.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// By start, the earliest first.
    ///
    /// Only with ``Events/Query/singleEvents``.
    public static let startTime: Order = "startTime"
    /// By last change, the oldest first.
    public static let updated: Order = "updated"
  }
}

extension Events.Query: PageQuery {
  func visitParameters(_ parameter: inout ParameterList) {
    parameter("alwaysIncludeEmail", alwaysIncludeEmail)
    parameter("eventTypes", eventTypes)
    parameter("iCalUID", iCalUID)
    parameter("maxAttendees", maxAttendees)
    parameter("maxResults", maxResults)
    parameter("orderBy", orderBy)
    parameter("pageToken", pageToken)
    parameter("privateExtendedProperty", privateExtendedProperty)
    parameter("q", q)
    parameter("sharedExtendedProperty", sharedExtendedProperty)
    parameter("showDeleted", showDeleted)
    parameter("showHiddenInvitations", showHiddenInvitations)
    parameter("singleEvents", singleEvents)
    parameter("syncToken", syncToken)
    parameter("timeMax", timeMax)
    parameter("timeMin", timeMin)
    parameter("timeZone", timeZone)
    parameter("updatedMin", updatedMin)
  }
}
