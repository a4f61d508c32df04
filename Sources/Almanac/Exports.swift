// SPDX-License-Identifier: Apache-2.0

// What the account returns and takes, so that one import is enough. HTTPTransport is not among it: who injects a transport imports it,
// and other packages have types with the names of its values.
@_exported public import CalendarAPI
@_exported public import HexColor
@_exported public import OAuthCore
@_exported public import OAuthUserAgents
@_exported public import OpenIDConnect
@_exported public import Timekeeping
@_exported public import TokenStore
