// SPDX-License-Identifier: Apache-2.0

// Schemas keep unknown fields as values of JSONCoding. The export makes one import sufficient.
@_exported public import JSONCoding
