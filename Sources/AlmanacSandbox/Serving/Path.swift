// SPDX-License-Identifier: Apache-2.0

/// The fixed paths of endpoints.
enum Path {
  static let authorization = "/authorize"
  static let token = "/token"
  static let resourceMetadata = "/.well-known/oauth-protected-resource"
  static let introspection = "/introspect"
  static let registration = "/register"
  static let pushedAuthorization = "/par"
  static let deviceAuthorization = "/device_authorization"
  static let device = "/device"
  static let backchannel = "/backchannel_authentication"
  static let revocation = "/revoke"
  static let userinfo = "/userinfo"
  static let logout = "/logout"
  static let keys = "/jwks.json"
  static let discovery = "/discovery/v1/apis/calendar/v3/rest"
  static let batch = "/batch/calendar/v3"
  static let control = "/sandbox/"
  static let picture = "/picture.png"
  /// The base path of the Meetup-like provider.
  static let meetup = "/meetup"
  static let member = meetup + "/2/member/self"
  static let graphQL = meetup + "/gql-ext"
  static let calendar = "/calendar/v3/"
}
