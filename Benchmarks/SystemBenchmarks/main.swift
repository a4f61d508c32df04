// SPDX-License-Identifier: Apache-2.0

import BenchmarkHarness

// The sandbox, servers and databases, apart from the hot paths because they take longer to compile.
Program(
  [
    // Sockets.
    Suite(EmulatorRows.path, isCounted: false) { EmulatorRows.rows },
    // Files of SQLite, written by another thread.
    Suite(CopyRows.path, isCounted: false) { CopyRows.rows },
    Suite(Row.growth) { try SandboxGrowthRows.rows },
  ],
  counts: "Benchmarks/SystemBenchmarks/counts.txt"
) {
  EmulatorRows.removeFiles()
  CopyRows.removeFiles()
}
.run()
