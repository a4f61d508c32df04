# SPDX-License-Identifier: Apache-2.0
"""Runs the HTTP clients in turn and prints a table. Benchmarks/HTTPBenchmarks/bench-http starts it."""

import argparse
import itertools
import json
import pathlib
import socket
import subprocess
import sys
import time
import urllib.parse

CLIENTS = ["libcurl", "go", "CurlTransport", "URLSessionTransport"]
NAMES = {"libcurl": "libcurl in C", "go": "Go net/http"}
CONCURRENCY = [1, 8, 64, 512]
OURS = ["CurlTransport"]
# The minimum ratio of its requests per second to libcurl's, from this concurrency on.
GATES = {"libcurl": 0.8}
GATED_FROM = 8
# The number of rounds for slow clients.
FEW_ROUNDS = {("URLSessionTransport", 512): 2}


def parse():
    parser = argparse.ArgumentParser(prog="bench-http")
    parser.add_argument("url")
    parser.add_argument("c_programs", type=pathlib.Path)
    parser.add_argument("swift_programs", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--seconds", type=float, default=1)
    parser.add_argument("--clients", default=",".join(CLIENTS))
    parser.add_argument("--concurrency", default=",".join(map(str, CONCURRENCY)))
    parser.add_argument("--json", type=pathlib.Path, help="write every round's figures to this file")
    parser.add_argument("--check", action="store_true")
    return parser.parse_args()


def command(options, client, concurrency):
    load = [options.url, str(concurrency), str(options.seconds)]
    if client == "libcurl":
        return [options.c_programs / "libcurl", *load]
    if client == "go":
        return [options.c_programs / "nethttp", *load]
    return [options.swift_programs / "HTTPBenchmarks", client, *load]


def wait_for_server(url):
    address = urllib.parse.urlsplit(url)
    for _ in range(100):
        try:
            socket.create_connection((address.hostname, address.port), 1).close()
            return
        except OSError:
            time.sleep(0.05)
    sys.exit("nginx does not listen")


def measure(options, clients, levels):
    """All figures, by client and concurrency. The clients take turns, so that what disturbs the machine disturbs them alike."""
    figures = {}
    for number in range(options.rounds):
        for concurrency in levels:
            for client in clients:
                if number >= FEW_ROUNDS.get((client, concurrency), options.rounds):
                    continue
                try:
                    run = subprocess.run(
                        command(options, client, concurrency), stdout=subprocess.PIPE, text=True,
                        timeout=options.seconds + 20, check=True)
                    figures.setdefault((client, concurrency), []).append(json.loads(run.stdout))
                except (subprocess.SubprocessError, json.JSONDecodeError) as error:
                    print(f"{client} at {concurrency}: {error}", file=sys.stderr)
    return figures


class Row:
    def __init__(self, client, concurrency, rounds):
        self.client = client
        self.concurrency = concurrency
        self.rounds = len(rounds)
        answered = [figure for figure in rounds if figure["requests"] > 0]
        self.failures = sum(figure["failures"] for figure in rounds)
        self.rate = max((figure["requests"] / figure["seconds"] for figure in answered), default=0)
        self.cpu = min((figure["cpu"] / figure["requests"] * 1e6 for figure in answered), default=float("nan"))


def table(rows, by_key):
    yield "| concurrency | client | requests/s | CPU µs a request | requests/s, libcurl = 1 |"
    yield "|--:|---|--:|--:|--:|"
    for row in rows:
        baseline = by_key.get(("libcurl", row.concurrency))
        ratio = f"{row.rate / baseline.rate:.2f}" if baseline and baseline.rate else ""
        name = NAMES.get(row.client, f"`{row.client}`")
        yield f"| {row.concurrency} | {name} | {row.rate:,.0f} | {row.cpu:.1f} | {ratio} |"


def notes(rows, options):
    for row in rows:
        if row.failures:
            yield f"{row.client} at {row.concurrency}: {row.failures} requests failed."
        if row.rounds < options.rounds:
            yield f"{row.client} at {row.concurrency}: {row.rounds} rounds instead of {options.rounds}."


def faults(by_key, levels):
    for name, concurrency in itertools.product(OURS, levels):
        ours = by_key.get((name, concurrency))
        if concurrency < GATED_FROM or ours is None:
            continue
        if ours.failures:
            yield f"{name} at {concurrency}: {ours.failures} requests failed"
        for client, least in GATES.items():
            other = by_key.get((client, concurrency))
            if other is None or not other.rate:
                yield f"{client} at {concurrency}: there is no figure to compare with"
            elif ours.rate < least * other.rate:
                yield f"{name} at {concurrency}: {ours.rate / other.rate:.2f} of {client}, must be {least}"


def main():
    options = parse()
    clients = options.clients.split(",")
    levels = [int(level) for level in options.concurrency.split(",")]
    wait_for_server(options.url)
    figures = measure(options, clients, levels)
    if options.json:
        options.json.write_text(json.dumps([one for rounds in figures.values() for one in rounds]))
    by_key = {key: Row(*key, rounds) for key, rounds in figures.items()}
    rows = [by_key[client, level] for level in levels for client in clients if (client, level) in by_key]
    print("\n".join(table(rows, by_key)))
    remarks = list(notes(rows, options))
    if remarks:
        print("\n" + "\n".join(remarks))
    failed = list(faults(by_key, levels)) if options.check else []
    for fault in failed:
        print(f"below its gate: {fault}", file=sys.stderr)
    sys.exit(1 if failed else 0)


main()
