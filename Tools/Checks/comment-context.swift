// SPDX-License-Identifier: Apache-2.0

// The undeclared names in the code of documentation comments. Only their types matter: Tools/Checks/check-snippets type-checks each block
// of code as a static method in an extension of `<Module>Comments`, which declares the names whose type is another in that module. The
// code does not run.

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

let account: OAuthAccount = declared()
let api: URL = declared()
func assertion() async throws -> Secret { declared() }
let authorizationURL: URL = declared()
let baseURL: URL = declared()
let browser: ScriptedUserAgent = declared()
let calendarID: String = declared()
let channel: WatchChannel = declared()
func check() async throws {}
let claims: [UInt8] = declared()
let client: OAuthClient = declared()
let clock = ManualClock()
let code: String = declared()
let credential: GoogleCredential = declared()
let database: PostgreSQLClient = declared()
let day: CivilDate = declared()
let editor: CalendarEditor = declared()
let end: Timestamp = declared()
let environment: CredentialEnvironment = declared()
let error: AppFlipError = declared()
let etag: String = declared()
let event: Event = declared()
func expect(_ condition: Bool) {}
let file: any ChunkFile = declared()
let fileChunks: AsyncStream<[UInt8]> = declared()
let fileSize: Int = declared()
let folder: URL = declared()
let google: GoogleAccount = declared()
let http: any StreamingTransport = declared()
let id: String = declared()
nonisolated(unsafe) var identity: ClientIdentity = declared()
let instance: Event = declared()
let key: SigningKey = declared()
let keys: JWKSet = declared()
let keyService: any KeyService = declared()
let link: URL = declared()
let lunch: Event = declared()
let name: String = declared()
let new: Event = declared()
func newDirectory() -> URL { fatalError() }
let occurrence: EventOccurrence = declared()
let old: Event = declared()
let origin: Origin = declared()
let parameters: [String: String] = declared()
nonisolated(unsafe) var patch: Event.Patch = declared()
let pending: PendingAuthorization = declared()
let photoURL: URL = declared()
func platformToken() async throws -> Secret { fatalError() }
let policy: AppFlipEndpointPolicy = declared()
let provider: String = declared()
let redirect: URL = declared()
let redirectURI: URL = declared()
let registration: ClientRegistration = declared()
nonisolated(unsafe) var request: HTTPRequest = declared()
let response: HTTPResponse = declared()
let router: any Router = declared()
let sandbox: Sandbox = declared()
let scope: String? = declared()
let scopes: [Scope] = declared()
let secret: Secret = declared()
let server: ServerMetadata = declared()
let sessions = LoggedInSessions()
let start: Timestamp = declared()
let store: InMemoryCalendarStore = declared()
let subject: Secret = declared()
let table: any TokenTable = declared()
let text: String = declared()
let ticks: AsyncStream<[UInt8]> = declared()
let token: String = declared()
let tokens: any TokenSource = declared()
let transport: StubTransport = declared()
let url: URL = declared()
let user: String = declared()
let verifier: IDTokenVerifier = declared()
let wrappedKey: [UInt8] = declared()
let zone: Zone = declared()

enum AlmanacComments {
  static let token: AccessToken = declared()
}

enum AppFlipComments {
  static let server: any AppServer = declared()
}

enum CalendarAPIComments {
  static let client: CalendarClient = declared()
}

enum CalendarSyncComments {
  static let client: CalendarClient = declared()
}

enum CalendarSyncPostgreSQLComments {
  static let client: CalendarClient = declared()
}

enum CalendarSyncSQLiteComments {
  static let client: CalendarClient = declared()
}

enum GoogleCredentialsComments {
  static let google: GoogleCredential = declared()
}

enum HTTPTransportComments {
  static let event: URL = declared()
}

enum OAuthCoreComments {
  static let user: any AskedUser = declared()
  nonisolated(unsafe) static var parameters: AuthorizationParameters = declared()
}

enum OpenIDConnectComments {
  static let token: StoredToken = declared()
}

enum PostgreSQLComments {
  static let account: String = declared()
  static let id: Int64 = declared()
}

enum RecurrenceComments {
  static let start: LocalDateTime = declared()
}

enum TokenStoreComments {
  static let account: String = declared()
  static let token: StoredToken = declared()
}

enum TokenStoreGoogleKMSComments {
  static let key: GoogleKMSKey = declared()
}

enum TokenStorePostgreSQLComments {
  static let account: String = declared()
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
