// SPDX-License-Identifier: Apache-2.0

import JSONCoding

/// Conferences that are created on request.
///
/// The request is pending in the response of the call that makes it, and carried out when the event is read.
enum Conference {
  /// Carries out a request for a conference.
  ///
  /// - Returns: Whether there was one that was not carried out before.
  static func complete(_ fields: inout [String: JSONValue], id: String) -> Bool {
    guard let data = fields["conferenceData"], var request = data["createRequest"]?.object,
      request["status"]?["statusCode"]?.string != "success"
    else { return false }
    let letters = Array("abcdefghijklmnopqrstuvwxyz")
    let code = String(StoredEvent.id(for: id).utf8.prefix(10).map { letters[Int($0) % 26] })
    let name = "\(code.prefix(3))-\(code.dropFirst(3).prefix(4))-\(code.dropFirst(7))"
    let link = "https://meet.calendar.example/\(name)"
    request["status"] = ["statusCode": "success"]
    fields["conferenceData"] = [
      "createRequest": .object(request), "conferenceId": .string(name),
      "entryPoints": [["entryPointType": "video", "uri": .string(link), "label": .string(String(link.dropFirst(8)))]],
      "conferenceSolution": [
        "key": request["conferenceSolutionKey"] ?? ["type": "hangoutsMeet"], "name": "Google Meet",
      ],
    ]
    fields["hangoutLink"] = .string(link)
    return true
  }

  /// Shows a request as it is before it is carried out.
  static func showPending(_ resource: inout [String: JSONValue]) {
    guard var request = resource["conferenceData"]?["createRequest"]?.object else { return }
    request["status"] = ["statusCode": "pending"]
    resource["conferenceData"] = ["createRequest": .object(request)]
    resource["hangoutLink"] = nil
  }
}
