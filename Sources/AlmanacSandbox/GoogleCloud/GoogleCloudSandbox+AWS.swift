// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import JSONCoding
import OAuthJOSE
import PlatformFoundation
import Support
import Timekeeping
public import TokenStore

extension GoogleCloudSandbox {
  /// The role of an instance on Amazon Web Services, whose signed requests an identity pool accepts.
  ///
  /// If no service account is attached to the machine, the instance's metadata server responds with the keys.
  public struct AWSInstance: Sendable, Hashable {
    /// The role's name.
    public var role: String
    /// The Amazon resource name of the instance, which is the subject of its tokens.
    public var arn: String
    /// The instance's availability zone, such as `us-east-2b`.
    public var zone = "us-east-2b"
    /// The identifier of the access key.
    public var accessKeyID: String
    /// The access key.
    public var secretAccessKey: Secret
    /// The token of the access key.
    public var sessionToken: Secret?

    /// Creates an instance.
    public init(role: String, arn: String, accessKeyID: String, secretAccessKey: Secret, sessionToken: Secret? = nil) {
      self.role = role
      self.arn = arn
      self.accessKeyID = accessKeyID
      self.secretAccessKey = secretAccessKey
      self.sessionToken = sessionToken
    }
  }

  /// Returns the subject of a signed AWS request, as AWS would determine it, or `nil` if the instance did not sign the request.
  func subject(ofSignedRequest token: String, at provider: IdentityProvider) -> String? {
    let text = FormEncoding.query.decodeComponent(Array(token.utf8).span)
    guard let instance = provider.instance, let json = JSONValue.members(of: Array(text.utf8)),
      json["method"] == "POST", let url = (json["url"]?.string).flatMap({ URL(string: $0) }),
      let host = Origin(url)?.host, host.hasPrefix("sts."), host.hasSuffix(".amazonaws.com"),
      let query = url.query(percentEncoded: true), query.contains("Action=GetCallerIdentity"),
      let list = json["headers"]?.array
    else { return nil }
    var fields: [String: String] = [:]
    for field in list {
      guard let key = field["key"]?.string, let value = field["value"]?.string else { return nil }
      fields[key.lowercased()] = value
    }
    guard let given = fields.removeValue(forKey: "authorization"),
      // The audience prevents the use of a request for one pool at another pool.
      fields["x-goog-cloud-target-resource"] == provider.audience, fields["host"] == host,
      fields["x-amz-security-token"] == instance.sessionToken?.reveal(), let time = fields["x-amz-date"],
      let signedAt = try? Timestamp(rfc3339: Self.rfc3339(time)), signedAt <= clock.now + .seconds(300),
      clock.now <= signedAt + .seconds(900)
    else { return nil }
    let expected = AWSRequest("POST", query: query, fields: fields).authorization(
      keyID: instance.accessKeyID, secret: instance.secretAccessKey.reveal(),
      region: String(host.dropFirst("sts.".count).prefix { $0 != "." }), service: "sts")
    return given == expected ? instance.arn : nil
  }

  /// Returns a time such as `20150830T123600Z` in the form `2015-08-30T12:36:00Z`.
  private static func rfc3339(_ time: String) -> String {
    var text = Array(time)
    for (index, separator) in [(13, ":"), (11, ":"), (6, "-"), (4, "-")] as [(Int, Character)] where index <= text.count
    {
      text.insert(separator, at: index)
    }
    return String(text)
  }

  /// Returns the response of an instance's metadata server, in its second version
  /// ([instance metadata](https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/instancedata-data-retrieval.html)).
  func instanceResponse(to request: HTTPRequest, path: String, of instance: AWSInstance) -> HTTPResponse {
    func text(_ text: String, status: Int = 200) -> HTTPResponse {
      HTTPResponse(status: status, fields: ["Content-Type": "text/plain"], body: Array(text.utf8))
    }
    let token = "session-of-\(instance.role)"
    if path == "/latest/api/token" {
      let isAsked = request.method == .put && request.fields["X-aws-ec2-metadata-token-ttl-seconds"] != nil
      return isAsked ? text(token) : text("Bad request", status: 400)
    }
    guard request.method == .get, request.fields["X-aws-ec2-metadata-token"] == token else {
      return text("Unauthorized", status: 401)
    }
    let keys = "/latest/meta-data/iam/security-credentials"
    switch path {
    case "/latest/meta-data/placement/availability-zone": return text(instance.zone)
    case keys, keys + "/": return text(instance.role)
    case "\(keys)/\(instance.role)":
      return .json([
        "Code": "Success", "AccessKeyId": .string(instance.accessKeyID),
        "SecretAccessKey": .string(instance.secretAccessKey.reveal()),
        "Token": .string(instance.sessionToken?.reveal() ?? ""),
      ])
    default: return text("Not found", status: 404)
    }
  }
}
