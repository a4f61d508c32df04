// SPDX-License-Identifier: Apache-2.0

import Almanac
import AlmanacSandbox

let sandbox = Sandbox()
let google = try GoogleAccount(oauthAccount: sandbox.account(scopes: [.calendar]), apiURL: Sandbox.inProcessURL)
print("Signed in:", try await google.isSignedIn)
