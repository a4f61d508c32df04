// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTransport

extension AppBackend.API {
  /// Meetup's API, for an app that shows the member.
  ///
  /// - Parameter url: The URL of the GraphQL service, `https://api.meetup.com/gql-ext`.
  static func meetup(at url: URL) -> AppBackend.API {
    AppBackend.API(
      url: url, scopes: ["basic"], userID: { try await MeetupMember.read(at: url, $0).id },
      routes: ["member": { try await MeetupMember.read(at: url, $0) }])
  }
}

/// The member, as decoded from Meetup and sent to the app.
///
/// Other fields are not passed on.
private struct MeetupMember: Codable {
  let id: String, name: String, city: String, country: String

  private struct Query: Encodable { let query: String }

  private struct QueryResponse: Decodable {
    struct Viewer: Decodable { let me: MeetupMember }
    let data: Viewer
  }

  static func read(at url: URL, _ http: any Transport) async throws -> MeetupMember {
    let query = Query(query: "query { me: self { id name city country } }")
    let response: QueryResponse = try await http.call(.post, url, body: .json(query))
    return response.data.me
  }
}
