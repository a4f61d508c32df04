// SPDX-License-Identifier: Apache-2.0

// The types that the account's methods take, return or throw. One import is therefore enough. Types of HTTPTransport whose names
// other packages also use, such as HTTPRequest, are not exported: Documentation/Composition.md lists them.
@_exported public import CalendarAPI
@_exported public import HexColor
@_exported public import OAuthCore
@_exported public import OAuthScope
@_exported public import OAuthUserAgents
@_exported public import OpenIDConnect
@_exported public import Timekeeping
@_exported public import TokenStore

@_exported public import struct HTTPTransport.AuthenticationChallenge
@_exported public import struct HTTPTransport.BodyStream
@_exported public import struct HTTPTransport.CallError
@_exported public import struct HTTPTransport.ExchangeRecord
@_exported public import struct HTTPTransport.FormFields
@_exported public import struct HTTPTransport.Origin
@_exported public import struct HTTPTransport.RequestBody
@_exported public import struct HTTPTransport.RetryPolicy
@_exported public import struct HTTPTransport.StreamedResponse
@_exported public import protocol HTTPTransport.StreamingTransport
@_exported public import protocol HTTPTransport.Transport
@_exported public import struct HTTPTransport.TransportError
@_exported public import struct HTTPTransport.TransportLimits
