// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import JSONCoding
import OAuthScope

/// The metadata server ([predefined metadata keys](https://cloud.google.com/compute/docs/metadata/predefined-metadata-keys)).
extension GoogleCloudSandbox {
  func metadataResponse(to request: HTTPRequest, path: String) async -> HTTPResponse {
    var response = await unmarkedResponse(to: request, path: path)
    response.fields["Metadata-Flavor"] = "Google"
    return response
  }

  private func unmarkedResponse(to request: HTTPRequest, path: String) async -> HTTPResponse {
    guard request.method == .get else { return .methodNotAllowed([.get], as: .oauth) }
    // Requests of a browser or through a proxy are rejected.
    guard request.fields["Metadata-Flavor"] == "Google", request.fields["X-Forwarded-For"] == nil else {
      return .text("Missing Metadata-Flavor:Google header.", status: 403)
    }
    let root = "/computeMetadata/v1/"
    guard path.hasPrefix(root) else { return .text("computeMetadata/", status: path == "/" ? 200 : 404) }
    let query = request.queryParameters
    let parts = path.dropFirst(root.count).split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts != ["project", "project-id"] else { return .text(configuration.projectID) }
    guard parts.count == 4, parts[0] == "instance", parts[1] == "service-accounts",
      let account = configuration.attachedAccount, ["default", account].contains(parts[2])
    else { return .text("Not found", status: 404) }
    switch parts[3] {
    case "token":
      let scopes = query["scopes"]?.split(separator: ",").map { Scope(String($0)) }
      return .json(
        .object(issue(principal: account, scopes: scopes ?? ["https://www.googleapis.com/auth/cloud-platform"])))
    case "identity":
      guard let audience = query["audience"] else { return .text("non-empty audience parameter required", status: 400) }
      guard let token = try? await idToken(for: audience, of: account) else { return .text("Try again", status: 503) }
      return .text(token)
    case "email": return .text(account)
    default: return .text("Not found", status: 404)
    }
  }
}

extension HTTPResponse {
  /// Returns plain text, in the metadata server's format.
  fileprivate static func text(_ text: String, status: Int = 200) -> HTTPResponse {
    HTTPResponse(status: status, fields: ["Content-Type": "application/text"], body: Array(text.utf8))
  }
}
