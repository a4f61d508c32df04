// SPDX-License-Identifier: Apache-2.0

public import HTTPTransport

extension Origin {
  /// `https://www.googleapis.com`, where the Calendar API is: the origin that may see the access token.
  public static let googleAPIs = Origin(scheme: "https", host: "www.googleapis.com", port: 443)
}
