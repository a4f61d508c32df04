// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import TokenStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension TokenRequest {
  /// Sets the `Authorization` field to Basic credentials ([RFC 7617](https://www.rfc-editor.org/rfc/rfc7617.html)), and hides
  /// them.
  mutating func setBasicCredentials(_ identifier: String, _ secret: Secret) {
    let credentials = Data("\(identifier):\(secret.reveal())".utf8).base64EncodedString()
    fields["Authorization"] = "Basic \(credentials)"
    secrets.append(Secret(credentials))
  }
}
