import Testing
import Timekeeping

struct TimestampTests {
  @Test(
    arguments: [
      (-1, 4, 999_999_999), (-999_999_999, 4, 1), (-1_000_000_000, 4, 0), (-1_000_000_001, 3, 999_999_999),
      (1_000_000_000, 6, 0), (Int32.max, 7, 147_483_647), (Int32.min, 2, 852_516_352),
    ] as [(Int32, Int64, Int32)])
  func carriesNanosecondsIntoTheSeconds(given: Int32, seconds: Int64, nanoseconds: Int32) {
    let time = Timestamp(secondsSince1970: 5, nanoseconds: given)
    #expect(time.secondsSince1970 == seconds)
    #expect(time.nanoseconds == nanoseconds)
  }
}
