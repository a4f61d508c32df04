// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting

extension DefectiveTokenStorage.Defect {
  /// A part of what each check says that reports the defect, by the check's identifier.
  ///
  /// No other check may report it.
  var reports: [String: String] {
    switch self {
    case .losesNanoseconds:
      [
        "records.fields": "The slot read another record than it had written: all fields.",
        "records.check-writable": "The record was changed.",
      ]
    case .mergesRecords:
      [
        "records.fields": "The slot read another record than it had written: no optional field."
      ]
    case .dropsEmptyScopes:
      [
        "records.fields": "The slot read another record than it had written: empty strings, which are not absent ones."
      ]
    case .shortensLongTokens:
      [
        "records.fields": "The slot read another record than it had written: 64 KiB.",
        "records.read-during-write": "A read found a part of a record, or none.",
      ]
    case .losesSealedForms:
      [
        "records.sealed": "The slot read another record than it had written."
      ]
    case .beginsWithARecord:
      [
        "records.none-at-first": "A plain read found a record.",
        "records.check-writable": "A plain read found a record.",
        "accounts.list": "The list does not match the accounts that were written.",
        "accounts.names": "The list changes the names.",
        "access.plain-reads": "A record exists already.",
      ]
    case .slotsFindARecord:
      [
        "records.none-at-first": "The slot found a record.", "records.removal": "A slot still finds it.",
      ]
    case .othersKeepRemovedRecords:
      [
        "records.removal": "A second storage still finds it."
      ]
    case .slotsReadALaggingReplica:
      [
        "records.shared": "The slot found the previous record.",
        "access.exclusive": "Of 80 updates ",
        "access.errors": "The record has changed.",
      ]
    case .readsGoBack:
      [
        "records.read-during-write": "A read found an older record than the read before it."
      ]
    case .listsOwnAccounts:
      [
        "records.check-writable": "Another account is listed.",
        "accounts.list": "A second storage lists others.",
      ]
    case .losesUpdates:
      [
        "access.exclusive": "Of 80 updates 41 were lost."
      ]
    case .losesWritesToOtherAccounts:
      [
        "access.other-accounts": "The other account's record is missing."
      ]
    case .othersSeeWritesAtTheEnd:
      [
        "access.plain-reads": "A second storage does not see it."
      ]
    case .swallowsErrors:
      [
        "access.errors": "No error was thrown."
      ]
    case .cannotRemoveTwice:
      [
        "records.removal": "An unexpected TokenStorageError was thrown."
      ]
    case .keepsRemovedRecords:
      [
        "records.removal": "A plain read still finds it.",
        "accounts.list": "A removed account is listed, or another is not.",
      ]
    case .cachesReads:
      [
        "records.fields": "A plain read found another record: a key that the tokens are bound to.",
        "records.shared": "A plain read found the previous record.",
        "records.read-during-write": "Not finished after",
        "cancellation.during-write": "The record is the old one.",
      ]
    case .writesAtTheNextRead:
      [
        "records.shared": "A plain read found the previous record."
      ]
    case .writesInParts:
      [
        "records.read-during-write": "A read found a part of a record, or none."
      ]
    case .readsALaggingReplica:
      [
        "records.fields": "A second storage found another record"
      ]
    case .trialLeavesARecord:
      [
        "records.check-writable": "A plain read found a record."
      ]
    case .trialRemovesTheRecord:
      [
        "records.check-writable": "The record was changed."
      ]
    case .trialLeavesALockFile:
      [
        "records.check-writable": "An account is listed."
      ]
    case .describesTokens:
      [
        "records.descriptions": "The storage shows it."
      ]
    case .describesTokensAfterwards:
      [
        "records.descriptions": "The slot shows it afterwards."
      ]
    case .describesTokensInTheSlot:
      [
        "records.descriptions": "The slot shows it."
      ]
    case .listsRemovedAccounts:
      [
        "records.removal": "The account is still listed.",
        "accounts.list": "A removed account is listed, or another is not.",
      ]
    case .listsAccountsOnce:
      [
        "records.check-writable": "Another account is listed.",
        "accounts.list": "The list does not match the accounts that were written.",
        "accounts.names": "The list changes the names.",
      ]
    case .listsReadAccounts:
      [
        "records.none-at-first": "An account is listed.", "records.removal": "The account is still listed.",
        "records.check-writable": "An account is listed.",
        "accounts.list": "The list does not match the accounts that were written.",
      ]
    case .listsTwice:
      [
        "records.check-writable": "Another account is listed.",
        "accounts.list": "An account is listed twice.",
      ]
    case .ignoresCase:
      [
        "accounts.names": "\"a\" has another's record."
      ]
    case .normalizesNames:
      [
        "accounts.names": "\"ä\" has another's record."
      ]
    case .shortensNames:
      [
        "accounts.names": "has another's record."
      ]
    case .removesByPrefix:
      [
        "accounts.names": "Removing one record removed another."
      ]
    case .listsLowercaseNames:
      [
        "accounts.names": "The list changes the names."
      ]
    case .readsTheEmptyAccount:
      [
        "accounts.empty-name": "It can be read."
      ]
    case .writesTheEmptyAccount:
      [
        "accounts.empty-name": "It can be written."
      ]
    case .triesTheEmptyAccount:
      [
        "accounts.empty-name": "It is reported as writable."
      ]
    case .letsEverybodyIn:
      [
        "access.exclusive": " tasks had access at the same time.",
        "cancellation.while-waiting": "It got access while another task had it.",
        "cancellation.before-access": "It got access.",
      ]
    case .excludesPerObject:
      [
        "access.exclusive": " tasks had access at the same time.",
        "cancellation.while-waiting": "It got access while another task had it.",
      ]
    case .hasOneLockForAll:
      [
        "access.other-accounts":
          "Still waiting after 0.1 seconds for withExclusiveAccess(to: \"one\"), withExclusiveAccess(to: \"two\")."
      ]
    case .returnsTheOtherAccountsRecord:
      [
        "accounts.names": "\"a\" has another's record."
      ]
    case .readsWaitForAccess:
      [
        "access.plain-reads":
          "Still waiting after 0.1 seconds for withExclusiveAccess(to: \"account\"), token(for: \"account\")."
      ]
    case .commitsAtTheEnd:
      [
        "access.plain-reads": "The write is not visible."
      ]
    case .keepsTheLockAfterAnError:
      [
        "access.errors": "Still waiting after 0.1 seconds for withExclusiveAccess(to: \"account\")."
      ]
    case .hidesErrors:
      [
        "access.errors": "An unexpected TokenStorageError was thrown.",
        "access.slot-lifetime": "An unexpected TokenStorageError was thrown.",
      ]
    case .removesTheRecordAfterAnError:
      [
        "access.errors": "The record has changed.",
        "access.slot-lifetime": "It changed the record.",
      ]
    case .slotsLiveOn:
      [
        "access.slot-lifetime": "It can still write after its body has returned."
      ]
    case .slotsLiveOnAfterAnError:
      [
        "access.slot-lifetime": "It can still write after its body has thrown."
      ]
    case .slotsReadOn:
      [
        "access.slot-lifetime": "It can still read after its body has returned."
      ]
    case .waitersCannotLeave:
      [
        "cancellation.while-waiting": "Still waiting after",
        "cancellation.before-access": "It got access.",
      ]
    case .waitersLeaveWithAnotherError:
      [
        "cancellation.while-waiting": "It threw TokenStorageError, not CancellationError.",
        "cancellation.before-access": "It threw TokenStorageError, not CancellationError.",
      ]
    case .cancelledWaitersGetIn:
      [
        "cancellation.while-waiting": "It got access while another task had it.",
        "cancellation.before-access": "It got access.",
      ]
    case .cancelledWaitersTakeTheLockAlong:
      [
        "cancellation.while-waiting": "Still waiting after"
      ]
    case .letsTheCancelledIn:
      [
        "cancellation.before-access": "It got access."
      ]
    case .writesHonourCancellation:
      [
        "cancellation.during-write": "CancellationError was thrown."
      ]
    case .cancelledWritesAreSkipped:
      [
        "cancellation.during-write": "The record is the old one."
      ]
    }
  }

  /// Checks that report the defect or not, as the tasks happen to run.
  var mayAlsoBeReportedBy: Set<String> {
    switch self {
    case .writesAtTheNextRead: Set(TokenStorageConformance.checks.map(\.id)).subtracting(["records.shared"])
    case .readsALaggingReplica: Set(TokenStorageConformance.checks.map(\.id)).subtracting(["records.fields"])
    case .letsTheCancelledIn: ["cancellation.while-waiting"]
    default: []
    }
  }
}
