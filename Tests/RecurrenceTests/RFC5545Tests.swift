// SPDX-License-Identifier: Apache-2.0

import Recurrence
import Testing
import Timekeeping

/// The examples of RFC 5545 § 3.8.5.3, as rules and dates; all of them start in New York at nine, most on 2 September 1997.
///
/// The rules and the dates that they are to give are from there, in a form of our own: occurrences at the time of the start are
/// `YYMMDD`, others have the time.
struct RFC5545Tests {
  struct Example: Sendable, CustomTestStringConvertible {
    let rule: String
    let start: String
    let dates: String
    /// The number of occurrences, if they end.
    let count: Int?

    init(_ rule: String, _ dates: String, start: String = "970902", count: Int? = nil) {
      (self.rule, self.start, self.dates, self.count) = (rule, start, dates, count)
    }

    var testDescription: String { rule }
  }

  @Test(arguments: [
    Example("FREQ=DAILY;COUNT=10", "970902 970903 970904 970905 970906 970907 970908 970909 970910 970911", count: 10),
    Example("FREQ=DAILY;UNTIL=19971224T000000Z", "970902 970903 970904", count: 113),
    Example("FREQ=DAILY;INTERVAL=2", "970902 970904 970906 970908"),
    Example("FREQ=DAILY;INTERVAL=10;COUNT=5", "970902 970912 970922 971002 971012", count: 5),
    Example(
      "FREQ=YEARLY;UNTIL=20000131T140000Z;BYMONTH=1;BYDAY=SU,MO,TU,WE,TH,FR,SA", "980101 980102", start: "980101",
      count: 93),
    Example("FREQ=DAILY;UNTIL=20000131T140000Z;BYMONTH=1", "980101 980102 980103", start: "980101", count: 93),
    Example("FREQ=WEEKLY;COUNT=10", "970902 970909 970916 970923 970930 971007 971014 971021 971028 971104", count: 10),
    Example("FREQ=WEEKLY;UNTIL=19971224T000000Z", "970902 970909 970916", count: 17),
    Example("FREQ=WEEKLY;INTERVAL=2;WKST=SU", "970902 970916 970930 971014 971028 971111 971125 971209 971223 980106"),
    Example(
      "FREQ=WEEKLY;UNTIL=19971007T000000Z;WKST=SU;BYDAY=TU,TH",
      "970902 970904 970909 970911 970916 970918 970923 970925 970930 971002", count: 10),
    Example(
      "FREQ=WEEKLY;COUNT=10;WKST=SU;BYDAY=TU,TH",
      "970902 970904 970909 970911 970916 970918 970923 970925 970930 971002", count: 10),
    Example(
      "FREQ=WEEKLY;INTERVAL=2;UNTIL=19971224T000000Z;WKST=SU;BYDAY=MO,WE,FR",
      "970901 970903 970905 970915 970917 970919 970929 971001 971003 971013", start: "970901", count: 25),
    Example(
      "FREQ=WEEKLY;INTERVAL=2;COUNT=8;WKST=SU;BYDAY=TU,TH", "970902 970904 970916 970918 970930 971002 971014 971016",
      count: 8),
    Example(
      "FREQ=MONTHLY;COUNT=10;BYDAY=1FR", "970905 971003 971107 971205 980102 980206 980306 980403 980501 980605",
      start: "970905", count: 10),
    Example("FREQ=MONTHLY;UNTIL=19971224T000000Z;BYDAY=1FR", "970905 971003 971107 971205", start: "970905", count: 4),
    Example(
      "FREQ=MONTHLY;INTERVAL=2;COUNT=10;BYDAY=1SU,-1SU",
      "970907 970928 971102 971130 980104 980125 980301 980329 980503 980531", start: "970907", count: 10),
    Example("FREQ=MONTHLY;COUNT=6;BYDAY=-2MO", "970922 971020 971117 971222 980119 980216", start: "970922", count: 6),
    Example("FREQ=MONTHLY;BYMONTHDAY=-3", "970928 971029 971128 971229 980129 980226", start: "970928"),
    Example(
      "FREQ=MONTHLY;COUNT=10;BYMONTHDAY=2,15", "970902 970915 971002 971015 971102 971115 971202 971215 980102 980115",
      count: 10),
    Example(
      "FREQ=MONTHLY;COUNT=10;BYMONTHDAY=1,-1", "970930 971001 971031 971101 971130 971201 971231 980101 980131 980201",
      start: "970930", count: 10),
    Example(
      "FREQ=MONTHLY;INTERVAL=18;COUNT=10;BYMONTHDAY=10,11,12,13,14,15",
      "970910 970911 970912 970913 970914 970915 990310 990311 990312 990313", start: "970910", count: 10),
    Example(
      "FREQ=MONTHLY;INTERVAL=2;BYDAY=TU", "970902 970909 970916 970923 970930 971104 971111 971118 971125 980106"),
    Example(
      "FREQ=YEARLY;COUNT=10;BYMONTH=6,7", "970610 970710 980610 980710 990610 990710 000610 000710 010610 010710",
      start: "970610", count: 10),
    Example(
      "FREQ=YEARLY;INTERVAL=2;COUNT=10;BYMONTH=1,2,3",
      "970310 990110 990210 990310 010110 010210 010310 030110 030210 030310", start: "970310", count: 10),
    Example(
      "FREQ=YEARLY;INTERVAL=3;COUNT=10;BYYEARDAY=1,100,200",
      "970101 970410 970719 000101 000409 000718 030101 030410 030719 060101", start: "970101", count: 10),
    Example("FREQ=YEARLY;BYDAY=20MO", "970519 980518 990517", start: "970519"),
    Example("FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO", "970512 980511 990517", start: "970512"),
    Example(
      "FREQ=YEARLY;BYMONTH=3;BYDAY=TH", "970313 970320 970327 980305 980312 980319 980326 990304", start: "970313"),
    Example(
      "FREQ=YEARLY;BYDAY=TH;BYMONTH=6,7,8", "970605 970612 970619 970626 970703 970710 970717 970724 970731 970807",
      start: "970605"),
    Example("FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13", "980213 980313 981113 990813 001013", start: "970902"),
    Example(
      "FREQ=MONTHLY;BYDAY=SA;BYMONTHDAY=7,8,9,10,11,12,13", "970913 971011 971108 971213 980110 980207 980307",
      start: "970913"),
    Example(
      "FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8", "961105 001107 041102", start: "961105"),
    Example("FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3", "970904 971007 971106", start: "970904", count: 3),
    Example(
      "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2", "970929 971030 971127 971230 980129 980226 980330",
      start: "970929"),
    Example("FREQ=HOURLY;INTERVAL=3;UNTIL=19970902T210000Z", "970902T09 970902T12 970902T15", count: 3),
    Example(
      "FREQ=MINUTELY;INTERVAL=15;COUNT=6", "970902T09 970902T0915 970902T0930 970902T0945 970902T10 970902T1015",
      count: 6),
    Example("FREQ=MINUTELY;INTERVAL=90;COUNT=4", "970902T09 970902T1030 970902T12 970902T1330", count: 4),
    Example("FREQ=DAILY;BYHOUR=9,10,11,12,13,14,15,16;BYMINUTE=0,20,40", "970902T09 970902T0920 970902T0940 970902T10"),
    Example("FREQ=MINUTELY;INTERVAL=20;BYHOUR=9,10,11,12,13,14,15,16", "970902T09 970902T0920 970902T0940 970902T10"),
    Example(
      "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO", "970805 970810 970819 970824", start: "970805", count: 4),
    Example(
      "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU", "970805 970817 970819 970831", start: "970805", count: 4),
    Example("FREQ=MONTHLY;BYMONTHDAY=15,30;COUNT=5", "070115 070130 070215 070315 070330", start: "070115", count: 5),
  ])
  func example(_ example: Example) throws {
    let rule = try RecurrenceRule(example.rule)
    var set = try RecurrenceSet(start: time(full(example.start), in: zone("America/New_York")), rules: [rule])
    set.includesStart = false
    let dates = example.dates.split(separator: " ").map { full(String($0)) }
    #expect(set.shown(dates.count) == dates)
    if let count = example.count { #expect(Array(set.occurrences).count == count) }
  }

  /// An example excludes the start itself: a Friday that is a 13th, and not the 2 September.
  @Test func fridaysThatAreA13thWithoutTheStart() throws {
    let set = try RecurrenceSet(
      start: time("19970902T090000", in: zone("America/New_York")),
      lines: ["EXDATE;TZID=America/New_York:19970902T090000", "RRULE:FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13"])
    #expect(set.shown(2) == ["19980213T090000", "19980313T090000"])
  }

  private func full(_ text: String) -> String {
    let century = text < "50" ? "20" : "19"
    let (day, time) = (text.prefix(6), text.dropFirst(7))
    let digits = time.isEmpty ? "09" : String(time)
    return century + day + "T" + digits + String(repeating: "0", count: 6 - digits.count)
  }
}
