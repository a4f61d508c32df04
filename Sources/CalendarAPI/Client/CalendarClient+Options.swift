// SPDX-License-Identifier: Apache-2.0

extension CalendarClient {
  /// What goes with every request of a client, whatever its method
  /// ([parameters](https://developers.google.com/workspace/calendar/api/v3/reference/query-parameters)).
  ///
  /// The API has four more, which are left out on purpose: `alt`, because the response is always JSON; `key` and
  /// `oauth_token`, because a secret does not belong into a URL (a transport adds them as header fields); and
  /// `userIp`, which is deprecated.
  public struct Options: Sendable, Hashable {
    /// Which fields the answers shall have, such as `items(id,summary),nextPageToken`; `nil` for all.
    ///
    /// Name `nextPageToken` and `nextSyncToken` when a list is asked for: a page without them counts as the last.
    public var fields: String?
    /// Whether answers are indented.
    ///
    /// Google does so unless told `false`.
    public var prettyPrint: Bool?
    /// Whom the quota is counted for, at most 40 characters, when a server works for many users.
    public var quotaUser: String?

    /// Creates options.
    public init(fields: String? = nil, prettyPrint: Bool? = nil, quotaUser: String? = nil) {
      self.fields = fields
      self.prettyPrint = prettyPrint
      self.quotaUser = quotaUser
    }
  }
}

extension CalendarClient.Options: QueryParameters {
  func visitParameters(_ parameter: inout ParameterList) {
    parameter("fields", fields)
    parameter("prettyPrint", prettyPrint)
    parameter("quotaUser", quotaUser)
  }
}
