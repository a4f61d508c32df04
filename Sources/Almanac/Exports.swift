// SPDX-License-Identifier: Apache-2.0

// What the account hands out and takes, so that one import is enough. The transports are not among it: see `DefaultTransport`.
@_exported public import CalendarAPI
@_exported public import HTTPTransport
@_exported public import HexColor
@_exported public import OAuthCore
@_exported public import OAuthUserAgents
@_exported public import OpenIDConnect
@_exported public import Timekeeping
@_exported public import TokenStore
