// SPDX-License-Identifier: Apache-2.0

import Almanac
import AlmanacSandbox
import Foundation
import HTTPTransport
import LoopbackHTTP
import OAuthCore
import TokenStore

let environment = ProcessInfo.processInfo.environment
guard let port = Int(environment["PORT"] ?? "8080"),
  // The public URL of the server. Google compares the redirect URI with its port, so the port is fixed.
  let publicURL = URL(string: environment["PUBLIC_URL"] ?? "http://127.0.0.1:\(port)")
else {
  throw OAuthError(.invalidConfiguration, "PORT is not a number, or PUBLIC_URL is not a URL.")
}
// systemd sets the variable to a folder for the service's state.
let folder = URL(filePath: environment["STATE_DIRECTORY"] ?? "web-backend-state")
let sessions = try Sessions(file: folder.appending(path: "sessions.json"))
let tokens = FileTokenStorage(directory: folder.appending(path: "tokens"))

var services = GoogleServices.production
var registration = ClientRegistration(
  clientID: environment["GOOGLE_CLIENT_ID"] ?? "", secret: environment["GOOGLE_CLIENT_SECRET"].map { Secret($0) })
if CommandLine.arguments.contains("--sandbox") {
  let sandbox = Sandbox()
  let url = try await sandbox.serve(port: port + 1).url
  services = GoogleServices(provider: sandbox.provider(at: url), apiURL: url)
  registration = ClientRegistration(clientID: Sandbox.Client.native.id)
}
let backend = try WebBackend(
  services, registration: registration, publicURL: publicURL, storage: tokens, sessions: sessions,
  transport: DefaultTransport().retrying())
let server = try await backend.serve(port: port)
// Written without buffering, for pipes and service logs.
try FileHandle.standardOutput.write(contentsOf: Data("Serving \(publicURL) at \(server.url). Stop with Ctrl-C.\n".utf8))
try await Task.sleep(for: .seconds(Int.max / 2))
