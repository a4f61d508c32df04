// SPDX-License-Identifier: Apache-2.0

import CalendarSync
import PostgreSQL

/// The statement for finding events.
///
/// For each calendar, it reads no more rows than can belong to the results, in the order of an index. The server plans
/// each statement with its parameters, so `NULL` conditions cost nothing.
struct EventSearch {
  let statement: SQLStatement

  init(_ query: EventQuery, for account: String, after cursor: EventCursor?, limit: Int) {
    let calendars = (query.calendarIDs ?? []).map { $0.bytes as [UInt8]? }
    let kind = SyncCollection.events(calendarID: "").kind
    let terms = EventTerms.query(query)
    let (start, id) = (cursor?.start, cursor?.id.bytes)
    let series = query.seriesID?.bytes
    let after = cursor?.calendarID.bytes
    let (first, end) = (query.span?.start, query.span?.end)
    statement = """
      SELECT calendar, span_start, json FROM almanac_calendar_collections AS calendars CROSS JOIN LATERAL (
        SELECT id, span_start, json FROM almanac_calendar_resources AS events
        WHERE collection = calendars.number AND span_start IS NOT NULL AND (\(query.includesCancelled) OR NOT is_cancelled)
          AND (\(series) IS NULL OR series = \(series))
          AND (\(query.updatedMilliseconds) IS NULL OR updated >= \(query.updatedMilliseconds))
          AND (\(terms)::text IS NULL OR terms @@ replace(\(terms), \(EventTerms.placeholder), calendars.number::text)::tsquery)
          AND (\(first) IS NULL
            OR NOT is_long AND span_start > \(query.span?.earliestShortStart) AND span_start < \(end) AND span_end > \(first)
            OR is_long AND span_end > \(first) AND span_start < \(end))
          AND (\(start) IS NULL OR span_start >= \(start) AND (span_start, calendars.calendar, id) > (\(start), \(after), \(id)))
        ORDER BY span_start, id LIMIT \(limit)
      ) AS events
      WHERE account = \(account.bytes) AND kind = \(kind) AND (\(query.calendarIDs == nil) OR calendar = ANY (\(calendars)))
      ORDER BY span_start, calendar, id LIMIT \(limit)
      """
  }
}
