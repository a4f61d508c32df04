// SPDX-License-Identifier: Apache-2.0

import CAllocationCounter
import Foundation

if CommandLine.arguments.dropFirst().elementsEqual([StartUpRows.nothing]) { exit(0) }
guard let options = Options(Array(CommandLine.arguments.dropFirst())) else {
  print(Options.usage)
  exit(2)
}
do {
  var isAccepted = true
  if Counting.isActive {
    held_jobs_start()
    try forEachRow { if $0.isCounted { print(try Counting.line($0)) } }
  } else if options.check {
    isAccepted = try CountsFile.check(options)
  } else if options.count {
    try CountsFile.write(options)
  } else {
    try measure()
  }
  removeFiles()
  exit(isAccepted ? 0 : 1)
} catch {
  removeFiles()
  print("\(error)")
  exit(2)
}

/// Measures the selected rows, and prints them as tables.
func measure() throws {
  var results: [Result] = []
  try forEachRow { row in
    if results.last?.row.path != row.path { print(Report.heading(row.path)) }
    let result = Result(row: row, measurements: row.measure(options.effort))
    for line in Report.lines(result) { print(line) }
    results.append(result)
  }
  if options.selects(SizeCurve.title) {
    print("")
    for line in SizeCurve.plot(options.effort).lines { print(line) }
  }
  if let file = options.json { try Report.json(results).write(to: URL(fileURLWithPath: file)) }
}

/// Makes the selected rows and passes them to a closure, one after the other.
func forEachRow(_ body: (Row) throws -> Void) throws {
  // The second value is whether any row of the suite is counted.
  let suites: [(path: String, isCounted: Bool, rows: () throws -> [Row])] = [
    ("payload", true, { PayloadRows.encoding }), ("payload decoding", true, { PayloadRows.decoding }),
    ("colour", true, { ColorRows.rows }), ("RFC 3339", true, { TimeRows.rows }),
    ("recurrence", true, { try RecurrenceRows.rows }), (TextRows.path, true, { TextRows.rows }),
    (CallerRows.path, true, { try CallerRows.rows }), (RefreshRows.path, true, { try RefreshRows.rows }),
    ("events page", true, { PageRows.rows }), (ModifyRows.path, true, { ModifyRows.rows }),
    // Sockets.
    (EmulatorRows.path, false, { EmulatorRows.rows }),
    // Files of SQLite, written by another thread.
    (CopyRows.path, false, { CopyRows.rows }),
    // Files, with their locks.
    ("file storage", false, { try StorageRows.rows }),
    (SealingRows.path, true, { try SealingRows.rows }),
    // Processes.
    ("start-up", false, { StartUpRows.rows }),
    ("growth", true, { try GrowthRows.rows }),
    // Random keys leave free blocks of different sizes to the rows after them.
    ("authorised request", true, { try AuthorizedRequestRows.rows }),
    ("signature", true, { try SignatureRows.rows }),
  ]
  for suite in suites where options.mayContain(suite.path, among: suites.map(\.path)) {
    if Counting.isActive, !suite.isCounted { continue }
    for row in try suite.rows() where options.selects(row.path, row.name) {
      // A wrong implementation must not be measured. The checks take too long under callgrind, which counts what was checked.
      if !Counting.isActive, let fault = row.fault() { throw Failure(fault) }
      try body(row)
    }
  }
}

func removeFiles() {
  StorageRows.removeFiles()
  EmulatorRows.removeFiles()
  CopyRows.removeFiles()
}

/// An error with the reason why nothing can be measured or counted.
struct Failure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
