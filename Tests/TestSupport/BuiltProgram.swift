// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// A program of this package.
package enum BuiltProgram {
  private struct NotBuilt: Error {
    let name: String
  }

  /// Finds a program: the build puts it beside the test bundle, which is one of the arguments.
  package static func find(_ name: String) throws -> URL {
    for argument in CommandLine.arguments {
      var folder = URL(fileURLWithPath: argument).deletingLastPathComponent()
      while folder.path.count > 1 {
        let program = folder.appending(path: name)
        if FileManager.default.isExecutableFile(atPath: program.path), !program.hasDirectoryPath { return program }
        folder.deleteLastPathComponent()
      }
    }
    throw NotBuilt(name: name)
  }
}
