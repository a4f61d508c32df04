// SPDX-License-Identifier: Apache-2.0

import BenchmarkHarness
import Foundation

if CommandLine.arguments.dropFirst().elementsEqual([StartUpRows.nothing]) { exit(0) }
Program(
  [
    Suite("payload") { PayloadRows.encoding }, Suite("payload decoding") { PayloadRows.decoding },
    Suite("colour") { ColorRows.rows }, Suite("RFC 3339") { TimeRows.rows },
    Suite("recurrence") { try RecurrenceRows.rows }, Suite(TextRows.path) { TextRows.rows },
    Suite(CallerRows.path) { try CallerRows.rows }, Suite(RefreshRows.path) { try RefreshRows.rows },
    Suite("events page") { PageRows.rows }, Suite(ModifyRows.path) { ModifyRows.rows },
    // Files, with their locks.
    Suite("file storage", isCounted: false) { try StorageRows.rows },
    Suite(SealingRows.path) { try SealingRows.rows },
    // Processes.
    Suite("start-up", isCounted: false) { StartUpRows.rows },
    Suite(Row.growth) { GrowthRows.rows },
    // Random keys leave free blocks of different sizes to the rows after them.
    Suite("authorised request") { try AuthorizedRequestRows.rows },
    Suite("signature") { try SignatureRows.rows },
  ],
  counts: "Benchmarks/counts.txt", plot: (SizeCurve.title, SizeCurve.plot), removeFiles: StorageRows.removeFiles
).run()
