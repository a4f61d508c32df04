// SPDX-License-Identifier: Apache-2.0

// The undeclared names in the code of documentation comments, by the comment's module. Only
// their types matter: Tools/Checks/check-snippets type-checks each block of code as a static method in an extension of its module's
// class. The code does not run.

import Almanac
import AlmanacSandbox
import AlmanacTesting
import AppFlip
import CalendarAPI
import CalendarSync
import CalendarSyncPostgreSQL
import CalendarSyncSQLite
import Foundation
import GoogleCredentials
import HTTPTransport
import HTTPTransportCurl
import HTTPTransportURLSession
import HexColor
import JSONCoding
import LoopbackHTTP
import OAuthCore
import OAuthJOSE
import OAuthResources
import OAuthUserAgents
import OpenIDConnect
import PostgreSQL
import Recurrence
import Timekeeping
import TokenStore
import TokenStoreGoogleKMS
import TokenStorePostgreSQL
import TokenStoreSealed
import TokenStoreSecretService

/// Returns the placeholder value of a declared name.
func declared<Value>() -> Value { fatalError() }

let ticks: AsyncStream<[UInt8]> = declared()
let redirectURI: URL = declared()
let keyService: any KeyService = declared()
let wrappedKey: [UInt8] = declared()

class CommentContext {
  static let clock = ManualClock()
  static let http: any StreamingTransport = declared()
  static let transport: StubTransport = declared()
  static let tokens: any TokenSource = declared()
  static let url: URL = declared()
  static let api: URL = declared()
  static let origin: Origin = declared()
  static let scopes: [Scope] = declared()
}

extension GoogleAccount {
  /// A stand-in for an initializer that exists only on Apple platforms, with more parameters.
  init(iOSClientID: String, scopes: [Scope]) throws { fatalError() }
}

/// A stand-in for a type that exists only on Apple platforms.
@MainActor final class UIApplication {
  static let shared = UIApplication()
  func open(_ response: AppFlipResponse) async {}
}

extension SigningKey {
  func signature(of request: HTTPRequest) throws -> String { fatalError() }
}

actor LoggedInSessions {
  func end(subject: String?, sessionID: String?) {}
}

struct Item: Decodable {}
struct Member: Decodable {}

final class AlmanacComments: CommentContext {
  static let google: GoogleAccount = declared()
  static let token: AccessToken = declared()
  static let id: String = declared()
}

final class AlmanacSandboxComments: CommentContext {
  static let baseURL: URL = declared()
  static let authorizationURL: URL = declared()
  static let sandbox: Sandbox = declared()
}

final class AlmanacTestingComments: CommentContext {
  static func newDirectory() -> URL { fatalError() }
  static func expect(_ condition: Bool) {}
}

final class AppFlipComments: CommentContext {
  static let link: URL = declared()
  static let code: String = declared()
  static let error: AppFlipError = declared()
  static let policy: AppFlipEndpointPolicy = declared()
  static let parameters: [String: String] = declared()
  static let router: any Router = declared()
  static let server: any AppServer = declared()
}

final class CalendarAPIComments: CommentContext {
  static let client: CalendarClient = declared()
  static let channel: WatchChannel = declared()
  static let request: HTTPRequest = declared()
  static let id: String = declared()
  static let etag: String = declared()
  static let event: Event = declared()
  static let old: Event = declared()
  static let new: Event = declared()
  static let day: CivilDate = declared()
  nonisolated(unsafe) static var patch: Event.Patch = declared()
}

final class CalendarSyncComments: CommentContext {
  static let start: Timestamp = declared()
  static let end: Timestamp = declared()
  static let zone: Zone = declared()
  static let day: CivilDate = declared()
  static let calendarID: String = declared()
  static let lunch: Event = declared()
  static let instance: Event = declared()
  static let occurrence: EventOccurrence = declared()
  static let editor: CalendarEditor = declared()
  static let client: CalendarClient = declared()
  static let store: InMemoryCalendarStore = declared()
  static let id: String = declared()
}

final class CalendarSyncPostgreSQLComments: CommentContext {
  static let client: CalendarClient = declared()
  static let user: String = declared()
}

final class CalendarSyncSQLiteComments: CommentContext {
  static let client: CalendarClient = declared()
  static let folder: URL = declared()
}

final class HTTPTransportComments: CommentContext {
  static let response: HTTPResponse = declared()
  static let google: GoogleAccount = declared()
  static let event: URL = declared()
  static let photoURL: URL = declared()
  static let code: String = declared()
  static let scope: String? = declared()
  nonisolated(unsafe) static var request: HTTPRequest = declared()
  static let fileChunks: AsyncStream<[UInt8]> = declared()
  static let fileSize: Int = declared()
  static let file: any ChunkFile = declared()
  static func check() async throws {}
}

final class PostgreSQLComments: CommentContext {
  static let database: PostgreSQLClient = declared()
  static let account: String = declared()
  static let name: String = declared()
  static let id: Int64 = declared()
}

final class TokenStorePostgreSQLComments: CommentContext {
  static let client: OAuthClient = declared()
  static let account: String = declared()
  static let user: String = declared()
}

final class TokenStoreSecretServiceComments: CommentContext {
  static let client: OAuthClient = declared()
}

final class JSONCodingComments: CommentContext {
  static let response: HTTPResponse = declared()
}

final class RecurrenceComments: CommentContext {
  static let start: LocalDateTime = declared()
  static let event: Event = declared()
}

final class HexColorComments: CommentContext {}
final class HTTPTransportCurlComments: CommentContext {}
final class HTTPTransportURLSessionComments: CommentContext {}
final class LoopbackHTTPComments: CommentContext {}
final class OAuthScopeComments: CommentContext {}
final class OAuthUserAgentsComments: OAuthCoreComments {}
final class TimekeepingComments: CommentContext {}
final class TokenStoreSealedComments: CommentContext {}

final class TokenStoreGoogleKMSComments: CommentContext {
  static let environment: CredentialEnvironment = declared()
  static let credential: GoogleCredential = declared()
  static let key: GoogleKMSKey = declared()
}

class OAuthCoreComments: CommentContext {
  static let user: any AskedUser = declared()
  static let secret: Secret = declared()
  static let client: OAuthClient = declared()
  static let registration: ClientRegistration = declared()
  static let server: ServerMetadata = declared()
  static let account: OAuthAccount = declared()
  static let response: HTTPResponse = declared()
  static let id: String = declared()
  static let text: String = declared()
  static let token: String = declared()
  static let key: SigningKey = declared()
  static let subject: Secret = declared()
  static let redirect: URL = declared()
  static func assertion() async throws -> Secret { declared() }
  nonisolated(unsafe) static var parameters: AuthorizationParameters = declared()
  static let browser: ScriptedUserAgent = declared()
}

final class OAuthResourcesComments: OAuthCoreComments {
  nonisolated(unsafe) static var identity: ClientIdentity = declared()
}

final class OAuthJOSEComments: CommentContext {
  static let claims: [UInt8] = declared()
  static let key: SigningKey = declared()
  static let keys: JWKSet = declared()
  static let text: String = declared()
  static let token: String = declared()
}

final class GoogleCredentialsComments: CommentContext {
  static let google: GoogleCredential = declared()
  static let environment: CredentialEnvironment = declared()
  static let provider: String = declared()
  static func platformToken() async throws -> Secret { fatalError() }
}

final class OpenIDConnectComments: CommentContext {
  static let server: ServerMetadata = declared()
  static let pending: PendingAuthorization = declared()
  static let request: HTTPRequest = declared()
  static let sessions = LoggedInSessions()
  static let token: StoredToken = declared()
  static let verifier: IDTokenVerifier = declared()
  static let account: OAuthAccount = declared()
}

final class TokenStoreComments: CommentContext {
  static let account: String = declared()
  static let token: StoredToken = declared()
  static let table: any TokenTable = declared()
}

protocol KeyService: Sendable {
  func unwrap(_ key: [UInt8]) async throws -> [UInt8]
}

protocol TokenTable: Sendable {
  func replace(_ account: String, with token: StoredToken) async throws
}

protocol ChunkFile: Sendable {
  func write(_ chunk: [UInt8])
}

protocol AskedUser: Sendable {
  func allows(_ issuer: String, _ resources: [URL], _ scopes: [Scope]) async -> Bool
}

protocol Router: Sendable {
  func open(_ link: URL)
}

protocol AppServer: Sendable {
  func code(for request: AppFlipRequest) async throws -> String
}
