// SPDX-License-Identifier: Apache-2.0

#if os(macOS) || os(Linux)
  import OAuthCore
  import PlatformFoundation
  import Support

  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Musl)
    import Musl
  #else
    import Glibc
  #endif

  /// A page that redirects the browser to a URL, in a file readable only by this user.
  struct PrivatePage: Sendable {
    private let folder: String

    /// The page's `file` URL.
    var url: URL { URL(filePath: folder + Self.name) }

    private static let name = "/sign-in.html"

    /// Writes the page into a new folder in the folder for temporary files, on a separate thread.
    ///
    /// - Throws: `OAuthError` with code `userAgentUnavailable`.
    static func write(sendingTo url: URL) async throws -> PrivatePage {
      try await BlockingWork.run { try PrivatePage(sendingTo: url) }
    }

    private init(sendingTo url: URL) throws {
      var template = Array(FileManager.default.temporaryDirectory.appending(path: "almanac-XXXXXX").path().utf8CString)
      // The name is written over the letters X, in the array's own memory. The folder's mode is 0700 (mkdtemp(3)).
      guard
        unsafe template.withUnsafeMutableBufferPointer({ unsafe $0.baseAddress.flatMap { unsafe mkdtemp($0) } != nil })
      else {
        throw Self.failure("A folder for the sign-in page could not be created")
      }
      folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
      // The text is a C string for the call.
      let number = unsafe open(folder + Self.name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
      guard number >= 0, FileDescriptor(owning: number).write(Array(Self.html(sendingTo: url).utf8)) else {
        // Before the removal, which also sets errno.
        let failure = Self.failure("The sign-in page could not be written")
        remove()
        throw failure
      }
    }

    /// Removes the page and its folder.
    func remove() {
      // The texts are C strings for the calls.
      _ = unsafe unlink(folder + Self.name)
      _ = unsafe rmdir(folder)
    }

    private static func failure(_ what: String) -> OAuthError {
      OAuthError(.userAgentUnavailable, "\(what) (errno \(errno)). Check the folder for temporary files.")
    }

    private static func html(sendingTo url: URL) -> String {
      let url = url.absoluteString.escapedForHTML
      return """
        <!doctype html>
        <html lang="en"><meta charset="utf-8"><meta name="referrer" content="no-referrer">
        <meta http-equiv="refresh" content="0;url=\(url)">
        <title>Sign-in</title><p><a href="\(url)">Continue to the sign-in page</a></p></html>

        """
    }
  }
#endif
