// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTransport
import TransportKit

extension TransportDefects {
  static let redirects: [TransportDefect] = [
    .sending("follows Location with any status", says("Location was followed.", "redirects.other-status")) {
      base, request in
      let response = try await base.send(request)
      return response.fields["Location"] == "/to" && response.status < 300
        ? try await base.send(HTTPRequest(.get, url("http://127.0.0.1:\(request.url.port ?? 80)/to"))) : response
    },
    .sending(
      "takes every Location and error for a success", says("The status is 200.", group: .redirects, "location-")
    ) { base, request in
      _ = try? await base.send(request)
      return HTTPResponse(status: 200)
    }.everywhere,
  ]
}
