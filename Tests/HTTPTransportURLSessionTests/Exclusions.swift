// SPDX-License-Identifier: Apache-2.0

/// The checks that `URLSessionTransport` cannot pass, each with the reason.
enum Exclusions {
  #if canImport(FoundationNetworking)
    static let all: [String: String] = endsProcess.merging(stopsQueue) { $1 }.merging(cannot) { $1 }

    /// libcurl's texts do not tell everything that a reason needs.
    static let givesReasons = false

    private static let endsProcess = [
      "faults.truncated-head": head,
      "faults.truncated-trailer": trailer,
      "responses.trailers": trailer,
      "responses.trailers-are-no-fields": trailer,
      "limits.trailer-fields": trailer,
      "hostility.cr-in-trailer-lines": trailer,
      "hostility.lf-in-trailer-lines": trailer,
      "hostility.escape-in-trailer-lines": trailer,
      "hostility.nul-in-header-lines": "Foundation ends the process when a header line begins with a NUL.",
      "redirects.location-empty-authority-ipv6": location,
      "redirects.location-percent-in-authority": location,
    ]

    private static let head =
      "Foundation ends the process when a connection is closed within the head (swift-corelibs-foundation#5285)."
    private static let trailer = "Foundation ends the process at a trailer field, or when a connection is closed there."
    private static let location = "Foundation ends the process at such a Location before it asks its delegate."

    /// One queue serves every session of the process, and libcurl does not leave it while such a server sends.
    private static let stopsQueue = [
      "hostility.endless-trailers":
        "Foundation reads trailer fields until the server ends, and cannot be cancelled meanwhile.",
      "hostility.endless-fields": "Foundation copies the head for each field, so that the time limit comes first.",
      "hostility.endless-folds": "Foundation copies the head for each line, so that the time limit comes first.",
      "limits.endless-chunks":
        "Foundation reads small chunks until the server ends, and cannot be cancelled meanwhile.",
      "limits.endless-redirect-body":
        "Foundation reads the body of a redirect to its end before it reports the redirect.",
      "limits.gzip-bomb": "Foundation decodes all that libcurl has read before it can be cancelled.",
      "limits.gzip-bomb-twice": "Foundation decodes all that libcurl has read before it can be cancelled.",
    ]

    private static let cannot = [
      "connections.extra-bytes-with-queue": idle,
      "connections.late-extra-bytes": idle,
      "connections.late-extra-bytes-http2": idle,
      "connections.late-extra-bytes-http2.0": idle,
      "connections.late-extra-bytes-http3": idle,
      "hostility.gzip-without-end": "libcurl does not tell that a gzip stream has not ended.",
      "limits.informational-fields": "Foundation does not report the fields of informational responses.",
      "memory.body-that-is-not-read": backpressure,
      "memory.body-that-is-read": backpressure,
      "memory.fast-chunks": "Foundation makes several objects for each chunk.",
      "memory.informational": "Foundation makes several objects for each field.",
      "redirects.none-followed-body": "Foundation keeps the body of a redirect to itself.",
      "requests.body-of-get": "Foundation sends no body with GET.",
      "responses.field-white-space": "Foundation refuses a field without white space after its colon.",
      "responses.repeated-fields": "Foundation joins fields that come more than once, and forgets their order.",
      "responses.status-without-reason": "Foundation refuses a status line without a reason.",
      "streaming.backpressure": backpressure,
      "streaming.request-backpressure": upload,
      "streaming.request-body-as-it-comes": upload,
      "streaming.request-cancelled": upload,
    ]

    private static let idle = "libcurl does not look at what has come on an idle connection."
    private static let backpressure = "Foundation cannot pause a transfer: one that is suspended begins again."
    private static let upload =
      "Foundation can wait for a stream only by blocking its queue, so the body is collected first."
  #else
    static let all = [
      "connections.limit-in-total": "The platform has a limit for each host only.",
      "requests.body-of-get": "The platform sends no body with GET.",
      "responses.repeated-fields": "The platform joins fields that come more than once, and forgets their order.",
    ]

    static let givesReasons = false
  #endif
}
