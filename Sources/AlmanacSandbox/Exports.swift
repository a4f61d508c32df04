// SPDX-License-Identifier: Apache-2.0

// The scopes of this module's calls, so that a literal such as "openid" needs no other import.
@_exported public import OAuthScope
