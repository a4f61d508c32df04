// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import PlatformFoundation

extension Provider {
  /// Zoom ([OAuth 2.0](https://developers.zoom.us/docs/integrations/oauth/)).
  ///
  /// The client authenticates with Basic credentials, and the server rotates the refresh token at every refresh.
  ///
  /// | Grant | Parameters beyond the specification | Errors beyond the specification |
  /// |---|---|---|
  /// | code | none | the description in `reason` |
  /// | refresh | none | the description in `reason` |
  /// | device | none | the description in `reason` |
  ///
  /// Checked against Zoom's documentation: “OAuth error messages”, which numbers the messages and lists no codes of `error`. The
  /// device grant was checked in part, and only in quotations of the documentation.
  public static let zoom = Provider(
    name: "Zoom",
    server: ServerMetadata(
      issuer: "https://zoom.us",
      authorizationEndpoint: URL(literal: "https://zoom.us/oauth/authorize"),
      tokenEndpoint: URL(literal: "https://zoom.us/oauth/token")
    ) {
      $0.revocationEndpoint = URL(literal: "https://zoom.us/oauth/revoke")
      $0.deviceAuthorizationEndpoint = URL(literal: "https://zoom.us/oauth/devicecode")
      $0.tokenEndpointAuthMethodsSupported = ["client_secret_basic"]
    },
    quirks: zoomQuirks)

  /// The quirks of Zoom: errors are described in `reason`.
  private static var zoomQuirks: Quirks {
    var quirks = Quirks()
    quirks.errorMembers = Quirks.ErrorMembers(code: ["error"], description: ["reason"])
    return quirks
  }
}
