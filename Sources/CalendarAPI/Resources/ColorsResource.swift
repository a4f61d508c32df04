// SPDX-License-Identifier: Apache-2.0

import HTTPTransport

/// The methods of [Colors](https://developers.google.com/workspace/calendar/api/v3/reference/colors).
public struct ColorsResource: Sendable {
  let client: CalendarClient

  /// Returns the colours that calendars and events can have.
  ///
  /// They have not changed since 2012; keep them.
  public func get() async throws -> Colors { try await client.send(Call(.get, "colors")) }
}

extension CalendarClient {
  /// The palette of calendars and events.
  public var colors: ColorsResource { ColorsResource(client: self) }
}
