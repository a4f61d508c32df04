// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import Foundation
import TestSupport
import Testing
import TokenStore
import TokenStoreSecretService

/// The storage over a real GNOME Keyring, in processes on a bus of their own.
@Suite(.takesTurns, PrivateKeyring.isInstalled) struct SecretServiceTokenStorageTests {
  @Test(arguments: TokenStorageConformance.checks)
  func keepsThePromise(_ check: TokenStorageConformance.Check) async throws {
    #expect(try await PrivateKeyring.shared.call("conform", check.id) == ["done"])
  }

  @Test(arguments: TokenStorageConformance.checks)
  func keepsThePromiseOfSealedRecords(_ check: TokenStorageConformance.Check) async throws {
    #expect(try await PrivateKeyring.shared.call("conform-sealed", check.id) == ["done"])
  }

  @Test func processesSealWithOneKeyOfTheKeyring() async throws {
    let keyring = try await PrivateKeyring()
    try await withThrowingTaskGroup { group in
      for number in 1...4 { group.addTask { try await keyring.call("seal", "account \(number)") } }
      for try await said in group { #expect(said == ["done"]) }
    }
    #expect(try await keyring.call("seal", "another") == ["done"])
  }

  @Test func tokenIsOnlyInTheItemsSecret() async throws {
    let keyring = try await PrivateKeyring()
    #expect(try await keyring.call("spend", "user@example.com") == ["sent", "done"])
    let lines = try await keyring.search()
    #expect(lines.contains("label = tests: user@example%2ecom"))
    #expect(lines.contains("attribute.service = tests"))
    #expect(lines.contains("attribute.name = user@example%2ecom"))
    #expect(lines.filter { $0.hasPrefix("label = ") }.count == 1, "nothing is reserved any more: \(lines)")
    #expect(lines.filter { $0.contains("\"new\"") }.allSatisfy { $0.hasPrefix("secret = ") })
    let locks = try FileManager.default.contentsOfDirectory(atPath: "\(keyring.folder)/locks")
    #expect(locks == ["user@example%2ecom.lock"])
  }

  @Test func serviceNameWithNULIsRefused() async throws {
    let storage = SecretServiceTokenStorage(service: "tests\u{0}x")
    let error = try await #require(throws: TokenStorageError.self) { try await storage.token(for: "a") }
    #expect(error.code == .unavailable && error.message.contains("NUL"))
  }

  @Test func damagedItemIsSetAside() async throws {
    let keyring = try await PrivateKeyring()
    try await keyring.store("not JSON", as: "a")
    let lines = try await keyring.call("read")
    #expect(lines.first == "corrupted")
    #expect(lines.last?.hasPrefix("The keyring item a of tests was damaged and is now a.") == true)
    #expect(try await keyring.call("read") == ["done"])
    #expect(try await keyring.search().contains("secret = not JSON"))
  }

  /// Without a prompter, the keyring reports each prompt as dismissed.
  @Test func lockedKeyringIsAnErrorAndChangesNothing() async throws {
    let keyring = try await PrivateKeyring()
    #expect(try await keyring.call("write") == ["done"])
    try await keyring.lock()
    for call in ["read", "list", "check", "write", "remove"] {
      let dismissed = try await keyring.call(call, environment: ["DISPLAY": ":99"])
      #expect(dismissed.first == "promptDismissed", "\(call)")
      #expect(dismissed.last?.hasSuffix("Try again and unlock the keyring.") == true)
      let headless = try await keyring.call(call)
      #expect(headless.first == "promptUnavailable", "\(call)")
      #expect(headless.last?.hasSuffix("type the keyring's password, or use FileTokenStorage.") == true)
    }
    #expect(try await keyring.search().contains("attribute.name = a"))
  }

  @Test func missingKeyringIsAnErrorWithTheRemedy() async throws {
    let empty = try await PrivateKeyring(hasKeyring: false)
    for call in ["read", "list", "check", "write", "remove"] {
      let noService = try await empty.call(call)
      #expect(noService.first == "keyringMissing")
      #expect(noService.last?.hasPrefix("No keyring runs in this session. Install and start one") == true)
      let noBus = try await empty.call(call, environment: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere"])
      #expect(noBus.first == "keyringMissing")
      #expect(noBus.last?.hasPrefix("There is no D-Bus session bus.") == true)
    }
  }

  @Test func waitForASuspendedKeyringEnds() async throws {
    let keyring = try await PrivateKeyring()
    try await keyring.suspend()
    #expect(try await keyring.call("cancel") == ["CancellationError"])
    let lines = try await keyring.call("hurry")
    #expect(lines.first == "unavailable")
    #expect(lines.last?.contains("did not respond in time") == true)
  }

  @Test(PrivateKeyring.hasMock, arguments: ["wait", "stop"])
  func unansweredPromptEndsAtTheLimit(_ fault: String) async throws {
    let keyring = try await PrivateKeyring(mock: fault)
    let lines = try await keyring.call("hurry")
    #expect(lines.first == "keyringLocked")
    #expect(lines.last?.contains("its prompt was not answered in time") == true)
  }

  @Test(PrivateKeyring.hasMock, arguments: ["wait", "stop"])
  func cancellationEndsAnOpenPrompt(_ fault: String) async throws {
    let keyring = try await PrivateKeyring(mock: fault)
    let call = try keyring.begin("interrupt")
    var prompts = try #require(keyring.lines).makeAsyncIterator()
    #expect(await prompts.next() == "Prompt")
    call.interrupt()
    #expect(await keyring.output(of: call) == ["CancellationError"])
    if fault == "wait" { #expect(await prompts.next() == "Dismiss") }
  }

  /// The time limit of the prompt is the longest.
  @Test(PrivateKeyring.hasMock) func endOfTheServiceEndsItsPrompt() async throws {
    let lines = try await PrivateKeyring(mock: "end").call("patient")
    #expect(lines.first == "unavailable")
    #expect(lines.last?.contains("the keyring's service ended") == true)
  }

  @Test(PrivateKeyring.hasMock) func dismissedRemovalIsAnError() async throws {
    let lines = try await PrivateKeyring(mock: "keep").call("remove")
    #expect(lines.first == "promptDismissed")
    #expect(lines.last?.contains("The item is still there.") == true)
  }

  /// libsecret reports both as an item that is gone.
  @Test(PrivateKeyring.hasMock, arguments: ["deny", "exit"])
  func itemThatCannotBeExaminedIsNoMissingItem(_ fault: String) async throws {
    for call in ["read", "list", "remove"] {
      let lines = try await PrivateKeyring(mock: fault).call(call)
      #expect(lines.first == "unavailable", "\(call): \(lines)")
    }
  }

  @Test(PrivateKeyring.hasMock) func listOmitsAnItemThatDisappears() async throws {
    #expect(try await PrivateKeyring(mock: "vanish").call("list") == ["done"])
  }

  @Test(
    PrivateKeyring.hasMock,
    arguments: [
      (
        "Failed",
        "Could not open the keyring. Try again, and restart the keyring's service if that does not help. the text (g-"
      ),
      ("AccessDenied", "Could not open the keyring: access is denied."), ("NoReply", "it did not respond in time."),
      ("Disconnected", "the connection to the session bus was closed."),
    ])
  func errorOfTheServiceIsNoMissingKeyring(_ name: String, _ message: String) async throws {
    let lines = try await PrivateKeyring(mock: "org.freedesktop.DBus.Error.\(name)").call("list")
    #expect(lines.first == "unavailable")
    #expect(lines.last?.contains(message) == true, "\(lines)")
  }
}
