# SPDX-License-Identifier: Apache-2.0
"""Recurrence rules from a seed, expanded by python-dateutil.

  cases.py --seed SEED --count COUNT     writes as many cases to standard output
  cases.py --verify FILE                 expands the rules of a file anew, and fails if the file says otherwise

A case is a line: rule, DTSTART, zone or "-", the end of the comparison (exclusive), and the occurrences, with a bar between them.
DTSTART and the end are local times in iCalendar's form. Occurrences are seconds: of UTC if there is a zone, else of the local clock; the first
since 1970, the others since the one before. There are at most 30, and "+" follows if there are more before the end.

What dateutil does otherwise than RFC 5545 is kept out of the rules, or out of what it is given:
- BYWEEKNO alone takes every day of a week; RFC 5545 takes the weekday from DTSTART. It is given that weekday.
- Numbered and plain days in one BYDAY select what both do, instead of what either does. No rule mixes them.
- BYSETPOS counts from DTSTART in the first week. Such series start with a week.
- BYWEEKNO=-52 and -53 leave out the first week of a year as far as it is in the year before. No rule has them.
"""
import argparse
import datetime
import functools
import itertools
import multiprocessing
import random
import signal
import sys
import zoneinfo

from dateutil import rrule

FREQUENCIES = ["YEARLY"] * 6 + ["MONTHLY"] * 5 + ["WEEKLY"] * 4 + ["DAILY"] * 4 + ["HOURLY"] * 2 + ["MINUTELY"] * 2 + ["SECONDLY"] * 2
DAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
ZONES = ["Europe/Zurich", "America/New_York", "Australia/Lord_Howe", "America/Sao_Paulo", "Pacific/Apia", "Asia/Tehran", "Africa/Casablanca"]
HORIZON = {"YEARLY": 200 * 366, "MONTHLY": 60 * 366, "WEEKLY": 30 * 366, "DAILY": 20 * 366, "HOURLY": 3 * 366, "MINUTELY": 60, "SECONDLY": 3}
# The offsets of later years may still be changed by law.
LAST_ZONED = datetime.datetime(2025, 1, 1)
SHOWN = 30
FORM = "%Y%m%dT%H%M%S"


def some(numbers, choices, most=3):
    return sorted(numbers.sample(choices, min(len(choices), numbers.randint(1, most))))


def signed(numbers, limit, most=3):
    return [value * numbers.choice([1, 1, -1]) for value in some(numbers, range(1, limit + 1), most)]


def parts_of(numbers, frequency, start):
    """The parts of a rule beside FREQ, and DTSTART."""
    below = frequency in ("HOURLY", "MINUTELY", "SECONDLY")
    parts = {}
    chance = lambda probability: numbers.random() < probability
    if chance(0.5):
        parts["INTERVAL"] = numbers.choice([2, 3, 4, 5, 7, 12, 18] + ([24, 36, 61, 90, 1440, 86399] if below else []))
    if chance(0.35):
        parts["BYMONTH"] = some(numbers, range(1, 13), 4)
    if frequency == "YEARLY" and chance(0.25):
        parts["BYWEEKNO"] = [week for week in signed(numbers, 53) if week > -52] or [1]
    if frequency in ("YEARLY", "HOURLY", "MINUTELY", "SECONDLY") and chance(0.2):
        parts["BYYEARDAY"] = signed(numbers, 366, 4)
    if frequency != "WEEKLY" and chance(0.3):
        parts["BYMONTHDAY"] = signed(numbers, 31, 4)
    if chance(0.45):
        days = some(numbers, DAYS, 4)
        if frequency in ("YEARLY", "MONTHLY") and "BYWEEKNO" not in parts and chance(0.6):
            limit = 5 if frequency == "MONTHLY" or "BYMONTH" in parts else 53
            days = [f"{numbers.choice([1, 1, -1]) * numbers.randint(1, limit)}{day}" for day in days]
        parts["BYDAY"] = days
    if chance(0.25):
        parts["BYHOUR"] = some(numbers, range(24))
    if chance(0.25):
        parts["BYMINUTE"] = some(numbers, range(60))
    if chance(0.2):
        parts["BYSECOND"] = some(numbers, range(60))
    if any(name.startswith("BY") for name in parts) and chance(0.25):
        parts["BYSETPOS"] = signed(numbers, 8 if chance(0.7) else 60)
    if chance(0.3):
        parts["WKST"] = numbers.choice(DAYS)
    if chance(0.3):
        parts["COUNT"] = numbers.randint(1, 40)
    elif chance(0.3):
        parts["UNTIL"] = (start + datetime.timedelta(days=numbers.randint(0, HORIZON[frequency]))).strftime(FORM)
    if frequency == "WEEKLY" and "BYSETPOS" in parts:
        start -= datetime.timedelta(days=(start.weekday() - DAYS.index(parts.get("WKST", "MO"))) % 7)
    return parts, start


def expand(rule, start, zone, end):
    """The values of a case, as they are written; None if dateutil takes too long."""
    parts = dict(part.split("=") for part in rule.split(";"))
    if "BYWEEKNO" in parts and not {"BYDAY", "BYMONTHDAY", "BYYEARDAY"} & parts.keys():
        rule += ";BYDAY=" + DAYS[start.weekday()]
    if not {"COUNT", "UNTIL"} & parts.keys():
        rule += ";UNTIL=" + end.strftime(FORM)
    epoch = datetime.datetime(1970, 1, 1)
    times = []
    # It goes on to this year where a rule never matches, and nothing after the end is compared.
    datetime.MAXYEAR = end.year
    signal.setitimer(signal.ITIMER_REAL, 1)
    try:
        for time in rrule.rrulestr(rule, dtstart=start):
            if time >= end or len(times) > SHOWN * 3:
                break
            times.append(time)
    except TimeoutError:
        return None
    except ValueError as error:
        # What dateutil finds out beforehand never matches.
        if "rrule byxxx" not in str(error) and "Invalid combination" not in str(error):
            raise
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    if zone == "-":
        seconds = [int((time - epoch).total_seconds()) for time in times]
    else:
        # Without fold, a time that is skipped is by the offset before the gap, and one that comes twice is the first.
        known = zoneinfo.ZoneInfo(zone)
        seconds = sorted({int(time.replace(tzinfo=known).timestamp()) for time in times})
    shown = seconds[:SHOWN]
    deltas = [value - before for before, value in zip([0] + shown, shown)]
    return " ".join(map(str, deltas)) + ("+" if len(seconds) > SHOWN else "")


def case(seed, index):
    numbers = random.Random(f"{seed}/{index}")
    frequency = numbers.choice(FREQUENCIES)
    zone = numbers.choice(ZONES) if frequency in ("YEARLY", "MONTHLY", "WEEKLY", "DAILY", "HOURLY") and numbers.random() < 0.3 else "-"
    first = datetime.datetime(1995 if zone != "-" else 1901, 1, 1)
    start = first + datetime.timedelta(days=numbers.randint(0, (20 if zone != "-" else 200) * 365), hours=numbers.randint(0, 23))
    if zone != "-":
        start = start.replace(hour=numbers.randint(0, 3), minute=numbers.choice([0, 15, 30]))
    elif numbers.random() < 0.5:
        start = start.replace(minute=numbers.randint(0, 59), second=numbers.randint(0, 59))
    parts, start = parts_of(numbers, frequency, start)
    rule = ";".join([f"FREQ={frequency}"] + [
        f"{name}={','.join(map(str, value)) if isinstance(value, list) else value}" for name, value in parts.items()])
    end = start + datetime.timedelta(days=HORIZON[frequency])
    if zone != "-":
        end = min(end, LAST_ZONED)
    values = expand(rule, start, zone, end)
    # Of the rules that match nothing, a few are enough.
    if values == "" and index % 3:
        return None
    return values is not None and "|".join([rule, start.strftime(FORM), zone, end.strftime(FORM), values])


def verify(path):
    faults = 0
    for line in open(path):
        if line.startswith("#"):
            continue
        rule, start, zone, end, values = line.rstrip("\n").split("|")
        expected = expand(rule, datetime.datetime.strptime(start, FORM), zone, datetime.datetime.strptime(end, FORM))
        if expected is not None and values != expected:
            print(f"{rule} from {start}: dateutil says {expected}", file=sys.stderr)
            faults += 1
    return faults


def interrupt(*_):
    raise TimeoutError


signal.signal(signal.SIGALRM, interrupt)


def write(seed, count):
    """Writes the cases, which every processor has a part in."""
    written = left_out = 0
    with multiprocessing.Pool() as pool:
        for first in itertools.count(step=500):
            for line in pool.imap(functools.partial(case, seed), range(first, first + 500), chunksize=10):
                if written == count:
                    return left_out
                if line:
                    print(line)
                    written += 1
                else:
                    left_out += 1


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", default="1")
    parser.add_argument("--count", type=int, default=0)
    parser.add_argument("--verify")
    options = parser.parse_args()
    if options.verify:
        sys.exit(1 if verify(options.verify) else 0)
    left_out = write(options.seed, options.count)
    print(f"{left_out} rules left out, which match nothing or take dateutil more than a second", file=sys.stderr)
