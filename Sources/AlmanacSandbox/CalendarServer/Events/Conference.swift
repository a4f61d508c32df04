// SPDX-License-Identifier: Apache-2.0

import JSONCoding

/// Conferences requested by clients.
///
/// In the response to the call that requests a conference, the request is pending. It is completed when the event is next read.
enum Conference {
  /// Completes a request for a conference.
  ///
  /// - Returns: Whether there was a pending request.
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

  /// Replaces a completed request by a pending one in a resource.
  static func showPending(_ resource: inout [String: JSONValue]) {
    guard var request = resource["conferenceData"]?["createRequest"]?.object else { return }
    request["status"] = ["statusCode": "pending"]
    resource["conferenceData"] = ["createRequest": .object(request)]
    resource["hangoutLink"] = nil
  }
}
