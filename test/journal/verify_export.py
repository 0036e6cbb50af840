#!/usr/bin/env python3
"""Verifies an exported journal. Written from docs/journal-format.md alone, with the standard library.

usage: verify_export.py FILE [SEQ:HASH]

Prints "ok N events, head SEQ:HASH", or what is wrong, with exit code 1. With SEQ:HASH, a head that
was noted elsewhere, the journal has to contain it.
"""

import datetime
import hashlib
import json
import math
import re
import sys

DOMAIN = b"holdfast.journal.v1\n"
LEVELS_MAX = 64
BODY_BYTES_MAX = 4_194_304
INTEGER_MAX = 2**53 - 1

HASH = re.compile(r"[0-9a-f]{64}")
UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
TYPE = re.compile(r"[a-z0-9][a-z0-9_.:-]{0,159}")
TIME = re.compile(r"(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)\.(\d{3})Z", re.ASCII)

ESCAPES = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r"}


class Problem(Exception):
    pass


def number_text(number):
    """The shortest digits of a double, laid out as ECMAScript does."""
    if not math.isfinite(number):
        raise Problem("a number is too large for a double")
    if number == 0:
        return "0"
    if number < 0:
        return "-" + number_text(-number)
    mantissa, _, exponent = repr(number).partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    # The decimal point stands after the first `point` digits.
    point = len(whole) + int(exponent or 0) - (len(whole + fraction) - len(digits))
    digits = digits.rstrip("0")
    count = len(digits)
    if count <= point <= 21:
        return digits + "0" * (point - count)
    if 0 < point <= 21:
        return digits[:point] + "." + digits[point:]
    if -6 < point <= 0:
        return "0." + "0" * -point + digits
    rest = "." + digits[1:] if count > 1 else ""
    return f"{digits[0]}{rest}e{point - 1:+d}"


def string_text(text):
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise Problem("a text holds half of a surrogate pair") from None
    escaped = (ESCAPES.get(c) or (f"\\u{ord(c):04x}" if c < " " else c) for c in text)
    return '"' + "".join(escaped) + '"'


def canonical(value, level=1):
    if value is None or value is True or value is False:
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, float):
        if value.is_integer() and INTEGER_MAX < abs(value) < 1e21:
            raise Problem("an integer lies beyond 2^53 - 1")
        return number_text(value)
    if isinstance(value, str):
        return string_text(value)
    if level > LEVELS_MAX:
        raise Problem(f"it nests deeper than {LEVELS_MAX} levels")
    if isinstance(value, list):
        return "[" + ",".join(canonical(item, level + 1) for item in value) + "]"
    names = sorted(value, key=lambda name: name.encode("utf-16-be", "surrogatepass"))
    members = (string_text(name) + ":" + canonical(value[name], level + 1) for name in names)
    return "{" + ",".join(members) + "}"


def sha256(data):
    return hashlib.sha256(data).hexdigest()


def matches(pattern, value):
    return isinstance(value, str) and pattern.fullmatch(value) is not None


def or_null(pattern, value):
    return value is None or matches(pattern, value)


def is_position(value):
    return isinstance(value, float) and value.is_integer() and 1 <= value <= INTEGER_MAX


def is_time(value):
    if not matches(TIME, value):
        return False
    year, *rest = (int(part) for part in TIME.fullmatch(value).groups())
    try:
        datetime.datetime(year or 400, *rest[:-1])  # Python knows no year 0; it is a leap year too.
    except ValueError:
        return False
    return True


FORMS = {
    "at": is_time,
    "bodyDigest": lambda value: matches(HASH, value),
    "cause": lambda value: or_null(UUID, value),
    "id": lambda value: matches(UUID, value),
    "key": lambda value: or_null(HASH, value),
    "prev": lambda value: matches(HASH, value),
    "run": lambda value: value == "-" or matches(UUID, value),
    "runSeq": is_position,
    "seq": is_position,
    "session": lambda value: or_null(HASH, value),
    "type": lambda value: matches(TYPE, value),
    "v": lambda value: value == 1 and value is not True,
}


def not_json(constant):
    raise ValueError(f"{constant} is not JSON")


def parse(text):
    return json.loads(text, parse_int=float, parse_float=float, parse_constant=not_json)


def read_line(line):
    """The header, the hash and the body's bytes of one whole line without its LF."""
    try:
        value = parse(line.decode("utf-8"))
        header, given, body = value["header"], value["hash"], value["body"]
        version = header["v"]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise Problem("it is not an event") from None
    if isinstance(version, float) and version > 1:
        raise Problem(f"it has format version {version:g}, and this program knows 1")
    for name, has_form in FORMS.items():
        if name not in header or not has_form(header[name]):
            raise Problem(f"the header's {name} is missing or has the wrong form")
    if header.keys() != FORMS.keys() or value.keys() != {"header", "hash", "body"}:
        raise Problem("it has a member that the format does not know")
    if body is not None and not isinstance(body, dict):
        raise Problem("the body is not an object")
    body_text = None if body is None else canonical(body).encode("utf-8")
    header_text = canonical(header).encode("utf-8")
    hash_text = canonical(given).encode("utf-8")
    whole = b'{"header":%b,"hash":%b,"body":%b}' % (header_text, hash_text, body_text or b"null")
    if whole != line:
        raise Problem("it is not in canonical form")
    if body_text is not None and len(body_text) > BODY_BYTES_MAX:
        raise Problem("its body is too large")
    return header, header_text, given, body, body_text


def lines_of(file):
    """Each line without its LF. A torn last one is a problem."""
    for number, line in enumerate(file, 1):
        if not line.endswith(b"\n"):
            try:
                parse(line.decode("utf-8"))
            except (ValueError, RecursionError):
                raise Problem(f"line {number} is torn off; the lines before it are sound") from None
        yield number, line.removesuffix(b"\n")


class Accounts:
    """What a journal lacks, and the events that account for it."""

    def __init__(self):
        self.absent = {}
        self.shed = {}
        self.compacted = None

    def note(self, header, body):
        seq = int(header["seq"])
        if body is None:
            self.absent[seq] = header
        elif header["type"] == "journal.shed":
            self.note_shed(seq, body)
        elif header["type"] == "journal.compacted":
            self.compacted = body.get("through")
            if body.get("headBefore") != {"seq": float(seq - 1), "hash": header["prev"]}:
                raise Problem(f"event {seq} names another end of the journal before it")

    def note_shed(self, by, body):
        """The latest event that lists a body counts."""
        items = body.get("items") if isinstance(body, dict) else None
        for item in items if isinstance(items, list) else []:
            seq = item.get("seq") if isinstance(item, dict) else None
            if is_position(seq) and self.shed.get(seq, (0,))[0] <= by:
                self.shed[int(seq)] = (by, item.get("bodyDigest"), item.get("replacement"))

    def check(self, start):
        # What stands for a journal.shed that was itself shed is listed by a later one.
        for seq in sorted(self.absent, reverse=True):
            if self.absent[seq]["type"] == "journal.shed" and seq in self.shed:
                self.note_shed(seq, self.shed[seq][2])
        for seq, header in sorted(self.absent.items()):
            if self.shed.get(seq, (0, None))[1] != header["bodyDigest"]:
                raise Problem(f"the content of event {seq} is absent and no journal.shed lists it")
        if start[0] > 0 and self.compacted != {"seq": float(start[0]), "hash": start[1]}:
            raise Problem(f"it begins after event {start[0]} and no journal.compacted says so")


def verify(file, noted=None):
    seq, head, count = 0, "0" * 64, 0
    start = (seq, head)
    keys, accounts, seen = set(), Accounts(), {}
    for number, line in lines_of(file):
        try:
            header, header_text, given, body, body_text = read_line(line)
            here = int(header["seq"])
            if count == 0 and here > 1:
                seq, head = start = (here - 1, header["prev"])
            if here != seq + 1:
                raise Problem(f"event {here} follows event {seq}")
            if seq == 0 and header["type"] != "journal.opened":
                raise Problem("the first event is no journal.opened")
            if body_text is not None and sha256(body_text) != header["bodyDigest"]:
                raise Problem("the content is not the one that was hashed")
            if header["prev"] != head or sha256(DOMAIN + header_text) != given:
                raise Problem("the hash does not fit the header and the hash before")
            if header["key"] is not None and header["key"] in keys:
                raise Problem("its idempotency key was used before")
            if body is None and header["type"].startswith("journal.") and header["type"] != "journal.shed":
                raise Problem("the journal's own events are never shed")
        except Problem as problem:
            raise Problem(f"line {number}: {problem}; the last sound event is {seq}") from None
        keys.add(header["key"])
        accounts.note(header, body)
        seq, head, count = here, given, count + 1
        if noted is not None and seq == noted[0]:
            seen[seq] = head
    if count == 0:
        raise Problem("there is no event")
    accounts.check(start)
    seen.setdefault(*start)
    if noted is not None and noted[0] < start[0]:
        raise Problem(f"event {noted[0]} was removed; the journal begins after event {start[0]}")
    if noted is not None and seen.get(noted[0]) != noted[1]:
        raise Problem(f"the noted head {noted[0]}:{noted[1]} is not part of it; it ends at {seq}:{head}")
    return count, seq, head


def main(arguments):
    noted = None
    if len(arguments) == 2:
        seq, _, digest = arguments[1].partition(":")
        noted = (int(seq), digest)
    try:
        with open(arguments[0], "rb") as file:
            count, seq, head = verify(file, noted)
    except Problem as problem:
        print(problem)
        return 1
    print(f"ok {count} events, head {seq}:{head}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
