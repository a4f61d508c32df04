// SPDX-License-Identifier: Apache-2.0

// The library as the client of a server of others: does each step that a line of standard input names, and prints its result as
// a line of JSON. Tools/Interop/library.py drives it, and compares with what the server has received.
import Foundation
import OAuthCore

/// A line of output: the result of a step, if it has one, or the error.
private struct Report: Encodable {
  struct Fault: Encodable {
    let code: String
    let serverCode: String?
    let message: String
  }

  var result: JSONText?
  var error: Fault?
}

/// The result of a step.
private struct JSONText: Encodable {
  let value: any Encodable

  func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}

private func report(on line: String, in session: Session) async -> Report {
  do {
    let job = try JSONDecoder().decode(Job.self, from: Data(line.utf8))
    return Report(result: try await session.run(job).map { JSONText(value: $0) })
  } catch let error as OAuthError {
    return Report(
      error: Report.Fault(code: "\(error.code)", serverCode: error.serverCode, message: error.message))
  } catch {
    return Report(error: Report.Fault(code: "\(type(of: error))", serverCode: nil, message: "\(error)"))
  }
}

let session = Session()
while let line = readLine() {
  let report = await report(on: line, in: session)
  FileHandle.standardOutput.write(try JSONEncoder().encode(report) + Data("\n".utf8))
}
