// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import JSONCoding
import OAuthJOSE
import PlatformFoundation
import Timekeeping
import TokenStore

/// The token of a workload on Amazon Web Services: a signed request for the workload's own identity
/// ([AIP-4117, AWS](https://google.aip.dev/auth/4117)).
///
/// Google sends this request to AWS.
///
/// The region and the keys come from the environment variables of AWS, else from the instance's metadata server.
struct AWSSubjectToken: SubjectTokenSource {
  /// The type of the token.
  static let type = "urn:ietf:params:aws:token-type:aws4_request"

  private struct Keys {
    let id: String
    let secret: Secret
    let sessionToken: Secret?
  }

  private let audience: String
  /// The URL of the signed request, with `{region}` for the region.
  private let identityURL: String
  private let regionURL: URL?
  private let keysURL: URL?
  private let sessionURL: URL?
  private let environment: CredentialEnvironment

  /// Parses a `credential_source` with an `environment_id`.
  ///
  /// - Parameter type: The subject token's type in the file.
  init(_ source: CredentialDocument, type: String, audience: String, _ environment: CredentialEnvironment) throws {
    let id = try source.string("environment_id")
    guard id == "aws1" else {
      throw source.error(.unsupported, "environment_id", "is \(id.printable), which is unknown. Supported is aws1.")
    }
    guard type == Self.type else {
      throw source.error(.malformed, "environment_id", "is aws1, which needs the subject_token_type \(Self.type).")
    }
    identityURL =
      try source.optionalString("regional_cred_verification_url")
      ?? "https://sts.{region}.amazonaws.com?Action=GetCallerIdentity&Version=2011-06-15"
    // The host can contain the region, as in sts.eu-west-1.amazonaws.com.
    let labels = URL(string: identityURL).flatMap { Origin($0) }?.host.split(ascii: ".") ?? []
    let named = identityURL.contains("{region}") || labels.count < 4 ? "us-east-1" : String(labels[1])
    guard named.utf8.allSatisfy(\.isRegionCharacter), Self.request(at: identityURL, in: named) != nil else {
      throw source.error(
        .untrustedURL, "regional_cred_verification_url",
        "is not AWS's GetCallerIdentity, such as https://sts.{region}.amazonaws.com?Action=GetCallerIdentity&Version=2011-06-15. Nothing was sent."
      )
    }
    regionURL = try Self.metadataURL("region_url", source)
    keysURL = try Self.metadataURL("url", source)
    sessionURL = try Self.metadataURL("imdsv2_session_token_url", source)
    self.audience = audience
    self.environment = environment
  }

  /// Parses a URL of the instance's metadata server.
  ///
  /// The server responds with the keys of the instance, so no other host is allowed.
  private static func metadataURL(_ member: String, _ source: CredentialDocument) throws -> URL? {
    guard let url = try source.optionalURL(member) else { return nil }
    guard ["http://169.254.169.254", "http://[fd00:ec2::254]"].contains(Origin(url)?.description), url.user() == nil,
      url.fragment() == nil
    else {
      throw source.error(
        .untrustedURL, member,
        "is not a URL of the metadata server, http://169.254.169.254 or http://[fd00:ec2::254]. Nothing was sent.")
    }
    return url
  }

  /// Returns the parts of a URL for requesting the caller's identity, or `nil` for any other URL.
  private static func request(at template: String, in region: String) -> (url: URL, host: String, query: String)? {
    guard let url = URL(string: template.replacing("{region}", with: region)), GoogleHost.isPlainHTTPS(url),
      let host = Origin(url)?.host, let query = url.query(percentEncoded: true),
      ["", "/"].contains(url.path(percentEncoded: true)),
      Set(query.split(ascii: "&")) == ["Action=GetCallerIdentity", "Version=2011-06-15"]
    else { return nil }
    let domains = ["amazonaws.com", "amazonaws.com.cn", "api.aws"]
    let hosts = ["sts", "sts.\(region)", "sts-fips.\(region)"].flatMap { name in domains.map { "\(name).\($0)" } }
    return hosts.contains(host) ? (url, host, query) : nil
  }

  func subjectToken() async throws -> Secret {
    let knownRegion = environment["AWS_REGION"] ?? environment["AWS_DEFAULT_REGION"]
    let knownKeys = environmentKeys
    let session = try await knownRegion == nil || knownKeys == nil ? sessionFields() : [:]
    let region =
      if let knownRegion { knownRegion } else { try await metadataRegion(session) }
    guard region.utf8.allSatisfy(\.isRegionCharacter), let request = Self.request(at: identityURL, in: region) else {
      throw failed("The AWS region is invalid, or is not that of the credential. Check AWS_REGION and region_url.")
    }
    let keys = if let knownKeys { knownKeys } else { try await metadataKeys(session) }
    var fields = [
      "host": request.host, "x-goog-cloud-target-resource": audience,
      "x-amz-date": environment.clock.now.rfc3339(fractionDigits: 0).filter { $0 != "-" && $0 != ":" },
    ]
    fields["x-amz-security-token"] = keys.sessionToken?.reveal()
    let signed = AWSRequest("POST", query: request.query, fields: fields)
    fields["Authorization"] = signed.authorization(
      keyID: keys.id, secret: keys.secret.reveal(), region: region, service: "sts")
    let list = fields.sorted { $0.key < $1.key }.map {
      JSONValue.object(["key": .string($0.key), "value": .string($0.value)])
    }
    let json: JSONValue = ["url": .string(request.url.absoluteString), "method": "POST", "headers": .array(list)]
    return Secret(FormEncoding.query.encode(String(decoding: json.json(), as: UTF8.self)))
  }

  private var environmentKeys: Keys? {
    guard let id = environment["AWS_ACCESS_KEY_ID"], let secret = environment["AWS_SECRET_ACCESS_KEY"] else {
      return nil
    }
    return Keys(id: id, secret: Secret(secret), sessionToken: environment["AWS_SESSION_TOKEN"].map { Secret($0) })
  }

  // MARK: The metadata server

  /// Returns the header field required by later requests, with a token of IMDSv2
  /// ([instance metadata](https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/instancedata-data-retrieval.html)).
  private func sessionFields() async throws -> HTTPFields {
    guard let sessionURL else { return [:] }
    let token = try await text(
      HTTPRequest(.put, sessionURL, fields: ["X-aws-ec2-metadata-token-ttl-seconds": "300"]), "session token")
    return ["X-aws-ec2-metadata-token": token]
  }

  /// Returns the region of the availability zone: the part through the first number, such as `us-east-2` of `us-east-2b`.
  private func metadataRegion(_ session: HTTPFields) async throws -> String {
    guard let regionURL else {
      throw failed("The AWS region is unknown. Set AWS_REGION, or add region_url to the credential.")
    }
    let zone = try await text(HTTPRequest(.get, regionURL, fields: session), "availability zone")
    guard let number = zone.firstIndex(where: \.isNumber), zone[..<number].contains("-") else {
      throw failed("The response with the AWS availability zone is not a zone. Check region_url.")
    }
    return String(zone[..<(zone[number...].firstIndex { !$0.isNumber } ?? zone.endIndex)])
  }

  private func metadataKeys(_ session: HTTPFields) async throws -> Keys {
    guard let keysURL else {
      throw failed(
        "The AWS keys are unknown. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or add url to the credential.")
    }
    let role = try await text(HTTPRequest(.get, keysURL, fields: session), "role")
    guard role.utf8.allSatisfy(\.isRoleCharacter) else { throw unexpected("role") }
    let document = try await response(
      to: HTTPRequest(.get, keysURL.appending(path: role), fields: session), "keys")
    let members = (try? JSONValue(json: document))?.withoutAbsentMembers
    guard let id = members?["AccessKeyId"]?.string, let secret = members?["SecretAccessKey"]?.string else {
      throw unexpected("keys")
    }
    return Keys(id: id, secret: Secret(secret), sessionToken: (members?["Token"]?.string).map { Secret($0) })
  }

  private func text(_ request: HTTPRequest, _ name: String) async throws -> String {
    let text = String(validating: try await response(to: request, name), as: UTF8.self)
    guard let text = text?.split(whereSeparator: \.isWhitespace), text.count == 1 else { throw unexpected(name) }
    return String(text[0])
  }

  private func response(to request: HTTPRequest, _ name: String) async throws -> [UInt8] {
    var request = request
    request.timeout = .seconds(10)
    request.redirectScope = .noOrigin
    request.isRepeatable = true
    let response = try await environment.transport.send(request)
    guard response.isSuccess, response.redirectedOrigin == nil else {
      throw failed(
        "The metadata server of AWS responded with status \(response.status) to the request for the \(name). Check the instance's role and its metadata options."
      )
    }
    return response.body
  }

  private func unexpected(_ name: String) -> GoogleCredentialError {
    failed("The response of AWS's metadata server contains no \(name). Check the instance's role.")
  }

  private func failed(_ message: String) -> GoogleCredentialError {
    GoogleCredentialError(.subjectTokenUnavailable, message)
  }
}

extension UInt8 {
  fileprivate var isRegionCharacter: Bool {
    self == UInt8(ascii: "-") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self)
      || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
  }

  /// Whether a role's name can contain the character
  /// ([IAM names](https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html)).
  fileprivate var isRoleCharacter: Bool { isAccountCharacter || "+=,".utf8.contains(self) }
}
