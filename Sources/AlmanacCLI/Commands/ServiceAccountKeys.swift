// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import OAuthJOSE
import PlatformFoundation
import Support

/// The key files of a sandbox's service accounts, which are removed when the sandbox stops.
struct ServiceAccountKeys {
  private var files: [(path: String, content: GoogleCloudSandbox.KeyFile)] = []
  private let folder: String

  /// The paths of the files.
  var paths: [String] { files.map(\.path) }

  /// Creates a key for each service account of a configuration.
  ///
  /// - Throws: ``UsageError`` if there are no service accounts.
  init(folder: String, for configuration: inout Sandbox.Configuration, _ command: Command) async throws {
    self.folder = folder
    guard var cloud = configuration.googleCloud else {
      throw UsageError("--service-account-keys needs service accounts in the file for --seed.", command: command)
    }
    for index in cloud.serviceAccounts.indices {
      let account = cloud.serviceAccounts[index]
      let file = try await GoogleCloudSandbox.KeyFile.make(for: account.email)
      cloud.serviceAccounts[index].keys = JWKSet(account.keys.keys + file.publicKeys.keys)
      files.append((URL(filePath: folder).appending(path: "\(account.email).json").absoluteURL.path, file))
    }
    configuration.googleCloud = cloud
  }

  /// Writes the files, each readable by the owner only.
  ///
  /// - Parameter tokenURL: The token endpoint of the sandbox.
  /// - Throws: `SandboxError`, after removing the written files.
  func write(tokenURL: URL) throws {
    var written: [String] = []
    do {
      try FilePermissions.makePrivateFolder(folder)
      for (path, content) in files {
        try content.naming(tokenURL: tokenURL).write(to: URL(filePath: path))
        written.append(path)
      }
    } catch {
      Self.remove(written)
      throw error as? SandboxError ?? SandboxError("The folder \(folder) cannot be created. Choose another one.")
    }
  }

  /// Removes the files.
  func remove() { Self.remove(paths) }

  private static func remove(_ paths: [String]) {
    for path in paths { try? FileManager.default.removeItem(atPath: path) }
  }
}
