// SPDX-License-Identifier: Apache-2.0

// Schemas keep unknown fields as values of JSONCoding, and requests name their scopes. The exports make one import sufficient.
@_exported public import JSONCoding
@_exported public import OAuthScope
