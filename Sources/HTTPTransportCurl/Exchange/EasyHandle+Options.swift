// SPDX-License-Identifier: Apache-2.0

import CLibcurl
import HTTPTransport

extension EasyHandle {
  // Safe: libcurl copies strings, blobs and numbers. The URL, lists, the body, the error buffer and the arguments of callbacks
  // live as long as the handle or until they are replaced.

  func set(_ option: CURLoption, _ value: Int) throws(TransportError) {
    try check(option, unsafe almanac_easy_set_long(pointer, option, value))
  }

  func set(_ option: CURLoption, size: Int) throws(TransportError) {
    try check(option, unsafe almanac_easy_set_size(pointer, option, curl_off_t(size)))
  }

  func set(_ option: CURLoption, _ value: String) throws(TransportError) {
    try check(option, unsafe almanac_easy_set_string(pointer, option, value))
  }

  func unset(_ option: CURLoption) throws(TransportError) {
    try check(option, unsafe almanac_easy_set_string(pointer, option, nil))
  }

  func set(_ option: CURLoption, pointer value: UnsafeMutableRawPointer?) throws(TransportError) {
    try check(option, unsafe almanac_easy_set_pointer(pointer, option, value))
  }

  func set(_ option: CURLoption, list: UnsafeMutablePointer<curl_slist>?) throws(TransportError) {
    try check(option, unsafe almanac_easy_set_list(pointer, option, list))
  }

  func set(_ option: CURLoption, blob bytes: [UInt8]) throws(TransportError) {
    let result = unsafe bytes.withUnsafeBytes { bytes in
      // libcurl copies the bytes, and writes nothing through the pointer.
      var blob = unsafe curl_blob(
        data: UnsafeMutableRawPointer(mutating: bytes.baseAddress), len: bytes.count, flags: UInt32(CURL_BLOB_COPY))
      return unsafe almanac_easy_set_blob(pointer, option, &blob)
    }
    try check(option, result)
  }

  /// Checks the result of setting an option.
  ///
  /// Every option is checked: without one of its options, libcurl would send a different request.
  func check(_ option: CURLoption, _ result: CURLcode) throws(TransportError) {
    guard result != CURLE_OK else { return }
    throw .refused(option, result)
  }
}

extension TransportError {
  /// libcurl has no memory.
  static let noMemory = TransportError(.invalidRequest, "There is not enough memory for another transfer.")

  /// libcurl accepts at most one mebibyte of request target and header lines.
  static let requestTooLong = TransportError(
    .invalidRequest, "The URL and the header fields are too long for libcurl. Shorten them to less than 1 MB.")

  /// The error for an option rejected by libcurl, without the value.
  fileprivate static func refused(_ option: CURLoption, _ result: CURLcode) -> TransportError {
    guard result != CURLE_OUT_OF_MEMORY else { return noMemory }
    if [CURLOPT_URL, CURLOPT_REQUEST_TARGET].contains(option), result == CURLE_BAD_FUNCTION_ARGUMENT {
      return requestTooLong
    }
    // Safe: libcurl returns a structure that it never frees, with a string for the name.
    let known = unsafe almanac_curl_easy_option_by_id(option)
    let name = unsafe known.map { unsafe String(cString: $0.pointee.name) } ?? "\(option.rawValue)"
    return TransportError(
      .invalidRequest,
      "libcurl rejects the option \(name). Check the transport's configuration, and that libcurl has this feature.",
      cause: CurlError(code: result))
  }
}
