// SPDX-License-Identifier: Apache-2.0

// What schemas keep unknown fields as, so that one import is enough.
@_exported public import JSONCoding
