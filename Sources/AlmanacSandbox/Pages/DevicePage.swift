// SPDX-License-Identifier: Apache-2.0

import OAuthScope
import Support

/// The page on which the user enters a device's code, or decides about the device.
struct DevicePage {
  /// The sign-in of the entered code, or `nil` before a code is entered.
  let found: DeviceStore.Request?

  var html: String {
    guard let found else {
      return page(
        title: "Connect a device",
        """
        <h1>Connect a device</h1>
        <form method="get" action="\(Path.device)">
        <label>Enter the code that the device shows <input name="user_code" autocomplete="off" required></label>
        <div class="actions"><button class="primary">Continue</button></div>
        </form>
        """)
    }
    let scopes = found.scopes.map { "<li><code>\($0.rawValue.escapedForHTML)</code></li>" }.joined()
    return page(
      title: "Allow \(found.client.name)?",
      """
      <h1><bdi>\(found.client.name.escapedForHTML)</bdi> on a device wants access to your account</h1>
      <p>Allow this only if the device shows the code <b>\(found.userCode.escapedForHTML)</b>.</p>
      <ul>\(scopes)</ul>
      <form method="post" action="\(Path.device)">
      <input type="hidden" name="user_code" value="\(found.userCode.escapedForHTML)">
      <div class="actions">
      <button name="decision" value="deny">Deny</button>
      <button name="decision" value="allow" class="primary">Allow</button>
      </div>
      </form>
      """)
  }
}
