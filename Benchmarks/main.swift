let rows = PayloadRows.rows + ColorRows.rows + TimeRows.rows
let filter = CommandLine.arguments.dropFirst().first ?? ""
for row in rows where (row.path + " " + row.name).contains(filter) {
  let all = row.measure(CommandLine.arguments.contains("short") ? .short : .full)
  func pad(_ n: Double) -> String { "\((n * 10).rounded() / 10)" }
  print(row.path, row.name, pad(all[0].nanoseconds), all[0].allocations ?? -1, all.dropFirst().map { "\($0.name): \(pad($0.nanoseconds)) = \(pad($0.nanoseconds / all[0].nanoseconds))×" }.joined(separator: "  "), separator: " | ")
}
