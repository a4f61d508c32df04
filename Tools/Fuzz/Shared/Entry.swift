// SPDX-License-Identifier: Apache-2.0

/// The function that the fuzzer calls with each input, which passes it to the `fuzz` of a target.
@_cdecl("LLVMFuzzerTestOneInput")
public func entry(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  // The fuzzer lends `count` bytes, and the address sanitizer guards the ends of the copy.
  fuzz(unsafe Array(UnsafeBufferPointer(start: start, count: count)))
  return 0
}
