// SPDX-License-Identifier: Apache-2.0

// The modules of the account's parameters and results, so that one import is enough. HTTPTransport is not among them: callers that
// inject a transport import it, and other packages have types of the same names.
@_exported public import CalendarAPI
@_exported public import HexColor
@_exported public import OAuthCore
@_exported public import OAuthUserAgents
@_exported public import OpenIDConnect
@_exported public import Timekeeping
@_exported public import TokenStore
