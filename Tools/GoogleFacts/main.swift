// SPDX-License-Identifier: Apache-2.0

// Compares what the sandbox and the client rely on with a server: Google's, or the sandbox itself.
import Almanac
import AlmanacSandbox

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

let account: GoogleAccount
switch CommandLine.arguments.dropFirst().first {
case "--sandbox"?:
  let sandbox = Sandbox()
  account = try GoogleAccount(
    clientID: Sandbox.Client.native.id, scopes: [.calendar], storage: InMemoryTokenStorage(),
    userAgent: sandbox.approvingUser,
    options: .init(
      services: GoogleServices(provider: sandbox.provider(), apiURL: Sandbox.inProcessURL),
      transport: sandbox.transport()))
case let clientID?:
  account = try GoogleAccount(
    clientID: clientID, clientSecret: .environment("GOOGLE_CLIENT_SECRET"), scopes: [.calendar],
    storage: InMemoryTokenStorage())
case nil:
  print("Usage: GoogleFacts --sandbox | CLIENT-ID")
  exit(2)
}

try await account.authorize()
let client = account.calendar
let made = try await client.calendars.insert(CalendarMetadata { $0.summary = "Almanac's check of Google" })
guard let id = made.id else { throw MissingValue("id") }
let laboratory = Laboratory(client: client, calendarID: id, clock: SystemClock())

var differences = 0
for fact in Fact.all {
  let observation: String
  do {
    observation = try await fact.observe(laboratory)
  } catch {
    // The calendar is deleted after any failure.
    observation = "failed: \(error)"
  }
  let agrees = observation == fact.expected
  differences += agrees ? 0 : 1
  print(
    agrees ? "agrees " : "DIFFERS", fact.statement,
    agrees ? "" : "Expected: \(fact.expected). Observed: \(observation).")
}
try await client.calendars.delete(id)
try await account.revoke()
print("\(Fact.all.count - differences) of \(Fact.all.count) facts agree.")
exit(differences == 0 ? 0 : 1)
