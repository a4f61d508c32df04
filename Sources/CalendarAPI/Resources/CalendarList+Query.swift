// SPDX-License-Identifier: Apache-2.0

extension CalendarList: Page {
  /// What `calendarList.list` takes.
  ///
  /// What is `nil` is not sent.
  public struct Query: Sendable, Hashable {
    /// How many entries a page has at most: 100 unless told, at most 250.
    public var maxResults: Int?
    /// Leaves out calendars with which the user may do less.
    public var minAccessRole: AccessRole?
    /// Which page, from ``CalendarList/nextPageToken``.
    public var pageToken: String?
    /// Whether entries that were removed are listed too.
    ///
    /// False unless told.
    public var showDeleted: Bool?
    /// Whether hidden entries are listed too.
    ///
    /// False unless told.
    public var showHidden: Bool?
    /// Whether calendars of other organizations are left out.
    ///
    /// False unless told.
    public var showOwnOrganizationOnly: Bool?
    /// Lists only what has changed, from ``CalendarList/nextSyncToken``.
    ///
    /// It cannot go with ``minAccessRole`` and ``showOwnOrganizationOnly``, nor with a ``showDeleted`` or
    /// ``showHidden`` that is false.
    public var syncToken: String?

    /// Creates a query.
    public init(
      maxResults: Int? = nil,
      minAccessRole: AccessRole? = nil,
      pageToken: String? = nil,
      showDeleted: Bool? = nil,
      showHidden: Bool? = nil,
      showOwnOrganizationOnly: Bool? = nil,
      syncToken: String? = nil
    ) {
      self.maxResults = maxResults
      self.minAccessRole = minAccessRole
      self.pageToken = pageToken
      self.showDeleted = showDeleted
      self.showHidden = showHidden
      self.showOwnOrganizationOnly = showOwnOrganizationOnly
      self.syncToken = syncToken
    }
  }
}

extension CalendarList.Query: PageQuery {
  func visitParameters(_ parameter: inout ParameterList) {
    parameter("maxResults", maxResults)
    parameter("minAccessRole", minAccessRole)
    parameter("pageToken", pageToken)
    parameter("showDeleted", showDeleted)
    parameter("showHidden", showHidden)
    parameter("showOwnOrganizationOnly", showOwnOrganizationOnly)
    parameter("syncToken", syncToken)
  }
}
