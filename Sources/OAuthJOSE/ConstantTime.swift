/// Comparison whose duration tells nothing about where two values differ.
public enum ConstantTime {
  /// Returns whether both arrays hold the same bytes. Only a difference in length shows in the time taken.
  public static func equal(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    left.count == right.count && Cryptography.equal(left, right)
  }

  /// Returns whether both strings hold the same UTF-8. Only a difference in length shows in the time taken.
  public static func equal(_ left: String, _ right: String) -> Bool {
    equal(Array(left.utf8), Array(right.utf8))
  }
}
