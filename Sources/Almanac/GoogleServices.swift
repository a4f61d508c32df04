public import CalendarAPI
#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
import HTTPTransport
public import OAuthCore

/// Where Google is: its authorization server and the Calendar API, or stand-ins for them.
public struct GoogleServices: Sendable {
  /// The authorization server.
  public var provider: Provider
  /// The Calendar API's base address, ending in `/calendar/v3/`.
  public var calendarBaseURL: URL

  /// Creates a set of services.
  public init(provider: Provider, calendarBaseURL: URL) {
    self.provider = provider
    self.calendarBaseURL = calendarBaseURL
  }

  /// Google itself.
  public static let production = GoogleServices(provider: .google, calendarBaseURL: CalendarClient.googleBaseURL)

  /// The origins that serve the person's data, and may therefore see their access token.
  var origins: Set<Origin> {
    Set([calendarBaseURL, provider.server.userinfoEndpoint].compactMap { $0.flatMap { Origin($0) } })
  }
}
