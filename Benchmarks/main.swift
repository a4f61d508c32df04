// SPDX-License-Identifier: Apache-2.0

import Foundation

if CommandLine.arguments.dropFirst().elementsEqual([StartUpRows.nothing]) { exit(0) }
guard let options = Options(Array(CommandLine.arguments.dropFirst())) else {
  print(Options.usage)
  exit(2)
}
do {
  let gates = options.check ? try Gate.read(options.gates).filter { options.selects($0.path, $0.work) } : []
  let suites: [(path: String, rows: () throws -> [Row])] = [
    ("payload", { PayloadRows.encoding }), ("payload decoding", { PayloadRows.decoding }),
    ("colour", { ColorRows.rows }), ("RFC 3339", { TimeRows.rows }),
    ("recurrence", { try RecurrenceRows.rows }), (TextRows.path, { TextRows.rows }),
    ("signature", { try SignatureRows.rows }), ("authorised request", { try AuthorizedRequestRows.rows }),
    (CallerRows.path, { try CallerRows.rows }), (RefreshRows.path, { try RefreshRows.rows }),
    ("events page", { PageRows.rows }), (ModifyRows.path, { ModifyRows.rows }),
    (EmulatorRows.path, { EmulatorRows.rows }), (CopyRows.path, { CopyRows.rows }),
    ("file storage", { try StorageRows.rows }),
    (SealingRows.path, { try SealingRows.rows }),
    ("start-up", { StartUpRows.rows }), ("growth", { try GrowthRows.rows }),
  ]
  var results: [Result] = []
  for suite in suites where options.mayContain(suite.path, among: suites.map(\.path)) {
    if options.check, !gates.contains(where: { $0.path == suite.path }) { continue }
    for row in try suite.rows() where options.selects(row.path, row.name) {
      let own = gates.filter { $0.path == row.path && $0.work == row.name }
      if options.check, own.isEmpty { continue }
      if results.last?.row.path != row.path { print(Report.heading(row.path)) }
      // A wrong implementation must not be measured.
      if let fault = row.fault() { throw WrongResult(description: fault) }
      var result = Result(row: row, measurements: row.measure(options.effort))
      // A failed gate is measured again, for longer, because the machine may have been busy.
      for _ in 0..<2 where own.contains(where: { $0.fault(in: [result]) != nil }) {
        result = Result(row: row, measurements: row.measure(.full))
      }
      for line in Report.lines(result) { print(line) }
      results.append(result)
    }
  }
  if !options.check, options.selects(SizeCurve.title) {
    print("")
    for line in SizeCurve.plot(options.effort).lines { print(line) }
  }
  if let file = options.json { try Report.json(results).write(to: URL(fileURLWithPath: file)) }
  var faults = gates.compactMap { $0.fault(in: results) }
  if options.check, gates.isEmpty { faults.append("there is no gate to check") }
  for fault in faults { print("fell: \(fault)") }
  StorageRows.removeFiles()
  EmulatorRows.removeFiles()
  CopyRows.removeFiles()
  exit(faults.isEmpty ? 0 : 1)
} catch {
  StorageRows.removeFiles()
  EmulatorRows.removeFiles()
  CopyRows.removeFiles()
  print("\(error)")
  exit(2)
}

/// An error for a contender with a wrong result.
struct WrongResult: Error, CustomStringConvertible {
  let description: String
}
