# SPDX-License-Identifier: Apache-2.0
"""Finds the bodies of functions and accessors in Swift source, accurately enough to insert faults."""
import re

STRING = re.compile(r'(#*)("""|")')
# The last of these before a brace determines the kind of the block.
KEYWORD = re.compile(
    r"(?<![.\w`])(func|init|deinit|subscript|get|set|willSet|didSet|var|let|struct|class|enum|extension|protocol|actor|if|"
    r"guard|for|while|switch|do|catch|else|defer|return|case|repeat|throw|in|try|await)\b(?!`)")
FUNCTIONS = {"func", "init", "deinit", "subscript", "get", "set", "willSet", "didSet"}
# The value has one line, or is a list over several.
CONSTANT = re.compile(
    r"^(?:  )?(?:(?:public|package|private|fileprivate|static) )*let \w+(?:: [^=\n]+)? = "
    r"((?:\w+\()?\[\n(?:    [^\n]*\n)+  \]\)?|[^\n]+)$", re.M)
CLOSURE = re.compile(r"\{ \w+ in(?=\n)")


def bodies(text):
    """Returns the ranges of the bodies of functions and accessors, and of closures outside them."""
    code, found, open_braces = without_strings_and_comments(text), [], []
    start = parentheses = 0
    for at, character in enumerate(code):
        if character in "([":
            parentheses += 1
        elif character in ")]":
            parentheses -= 1
        elif character == "{":
            body = at + 1 if is_function(code[start:at]) else None
            closure = CLOSURE.match(code, at)
            if closure and not any(brace[3] for brace in open_braces):
                body = closure.end()
            open_braces.append((at, start, parentheses, body))
            start = at + 1
        elif character == "}":
            _, before, depth, body = open_braces.pop()
            if body:
                found.append((body, at))
            # A closure that is an argument or a default value does not end the enclosing declaration.
            inside = depth > (open_braces[-1][2] if open_braces else 0)
            start = before if inside else at + 1
    return found


def constants(text):
    """Returns the ranges of the values of global and static constants."""
    return [match.span(1) for match in CONSTANT.finditer(text)]


def is_function(head):
    """Returns whether a brace after this text begins the body of a function or an accessor."""
    flat, depth = [], 0
    for character in head:
        depth -= character in ")]"
        flat.append(character if depth == 0 else " ")
        depth += character in "(["
    flat = "".join(flat)
    last = max(KEYWORD.finditer(flat), key=lambda match: match.start(), default=None)
    if last is None:
        return False
    rest = flat[last.end():]
    return last[1] in FUNCTIONS or (last[1] == "var" and ":" in rest and "=" not in rest)


def without_strings_and_comments(text):
    """Returns the same text with spaces in place of them."""
    return masked(text, lambda piece: re.sub(r"[^\n]", " ", piece))


def masked(text, string):
    """Returns the same text with spaces in place of comments, and the result of `string` in place of string literals."""
    result, at = [], 0
    while at < len(text):
        if text.startswith("//", at):
            end = text.find("\n", at)
            end = len(text) if end < 0 else end
        elif text.startswith("/*", at):
            end = text.index("*/", at) + 2
        elif STRING.match(text, at):
            end = end_of_string(text, at)
            result.append(string(text[at:end]))
            at = end
            continue
        else:
            result.append(text[at])
            at += 1
            continue
        result.append(re.sub(r"[^\n]", " ", text[at:end]))
        at = end
    return "".join(result)


def end_of_string(text, at):
    hashes, quotes = STRING.match(text, at).groups()
    at += len(hashes) + len(quotes)
    while not text.startswith(quotes + hashes, at):
        if at >= len(text):
            raise ValueError("A string does not end, or a quote is no string's, such as one in a pattern.")
        if text.startswith("\\" + hashes + "(", at):
            at = end_of_parentheses(text, at + 1 + len(hashes))
        elif text.startswith("\\" + hashes, at):
            at += 2 + len(hashes)
        else:
            at += 1
    return at + len(quotes) + len(hashes)


def end_of_parentheses(text, at):
    depth = 0
    while True:
        if STRING.match(text, at):
            at = end_of_string(text, at)
            continue
        depth += (text[at] == "(") - (text[at] == ")")
        at += 1
        if depth == 0:
            return at
