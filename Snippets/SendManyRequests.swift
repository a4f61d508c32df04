// SPDX-License-Identifier: Apache-2.0

// Send many requests from tasks that run on the transport's thread.
import Foundation
import HTTPTransport
import HTTPTransportCurl

let http = CurlTransport()

func fetch(_ urls: [URL]) async throws -> [URL: Int] {
  try await withTaskExecutorPreference(http.executor) {
    try await withThrowingTaskGroup { group in
      for url in urls { group.addTask { (url, try await http.send(HTTPRequest(.get, url)).body.count) } }
      return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
  }
}

print(try await fetch(CommandLine.arguments.dropFirst().compactMap { URL(string: $0) }))
