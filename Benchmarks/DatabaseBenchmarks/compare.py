# SPDX-License-Identifier: Apache-2.0
"""Runs PostgreSQLTokenStorage and pgbench in turn and prints a table. Benchmarks/DatabaseBenchmarks/bench-database starts it."""

import contextlib
import itertools
import os
import pathlib
import re
import resource
import subprocess
import sys

# The parameters of each statement, in pgbench's variables.
STATEMENTS = {
    "read": ["account"],
    "section": ["account holder lease time account", "record new account version", "account lease account lease notice"],
}
# The types of the parameters that are not bigint. The storage sends types and binary values, and pgbench casts and texts.
TYPES = {"account": "bytea", "record": "bytea", "holder": "text", "notice": "text", "time": "interval"}
SETUP = r"""\set account 1 + :client_id + :connections * random(0, :rows / :connections - 1)
\set lease random(1, 9223372036854775806)
\set new random(1, 9223372036854775806)
"""
ROUNDS, SECONDS, CONNECTIONS = 5, 1, 8
OURS = "`PostgreSQLTokenStorage`"
folder, programs, program = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3]


def ours(work, records, rows, connections=CONNECTIONS, seconds=SECONDS, settings=""):
    database = f"host={folder} user=benchmark dbname={records}{rows} options='{settings}'"
    return [program, work, records, database, rows, str(connections), str(seconds)]


def pgbench(mode, work, records, rows):
    values = {"rows": rows, "connections": CONNECTIONS, "time": "10 s", "notice": "f" * 16, "holder": "h" * 43}
    command = f"{programs}/pgbench -n -M {mode} -f {folder}/{work}.sql -c {CONNECTIONS} -T {SECONDS} -h {folder} -U benchmark"
    return [*command.split(), *(f"-D{name}={value}" for name, value in values.items()), records + rows]


def write_script(work, records, rows):
    """Writes pgbench's script, with the statements that the server receives from the storage."""
    start = (folder / "log").stat().st_size
    subprocess.run(ours(work, records, rows, 1, 0, "-c log_statement=all"), check=True, stdout=subprocess.DEVNULL)
    sent = re.findall(r"^LOG:  execute [^:]*: (.*\n(?:\t.*\n)*)", (folder / "log").read_text()[start:], re.MULTILINE)
    text = SETUP
    for names, statement in zip(STATEMENTS[work], sent[len(sent) // 2:], strict=True):  # sent twice
        values = [f":{name}::{TYPES.get(name, 'bigint')}" for name in names.split()]
        text += re.sub(r"\$(\d)", lambda match: values[int(match[1]) - 1], statement).strip() + " \\gset\n"
    (folder / f"{work}.sql").write_text(text)


def processor_times():
    """Returns the processor time, in seconds, of the clients that have ended, and of the server's processes."""
    server, ticks = (folder / "data" / "postmaster.pid").read_text().split()[0], 0
    for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            fields = path.read_text().rpartition(")")[2].split()
            if server in (path.parent.name, fields[1]):
                ticks += sum(map(int, fields[11:15 if path.parent.name == server else 13]))
    clients = resource.getrusage(resource.RUSAGE_CHILDREN)
    return clients.ru_utime + clients.ru_stime, ticks / os.sysconf("SC_CLK_TCK")


def measure(command):
    """Returns the rate, and the processor times of the client and the server for 1,000 operations."""
    before = processor_times()
    printed = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    count = int(re.search(r"actually processed: (\d+)", printed)[1]) / 1000
    return float(re.search(r"tps = ([\d.]+)", printed)[1]), *((end - start) / count for start, end in zip(before, processor_times()))


print("| records | work | client | operations/s | ours / this | CPU s for 1,000: client | server |\n|--:|---|---|--:|--:|--:|--:|", flush=True)
for (records, rows), work in itertools.product(map(str.split, sys.argv[4:] or ["plain 1000", "plain 1000000", "sealed 1000"]), STATEMENTS):
    if work == "read":
        subprocess.run([programs / "createdb", "-h", folder, "-U", "benchmark", records + rows], check=True)
        subprocess.run(ours("fill", records, rows), check=True)
    write_script(work, records, rows)
    clients = {OURS: ours(work, records, rows)} | {f"pgbench -M {mode}": pgbench(mode, work, records, rows) for mode in ("prepared", "extended")}
    figures = [(client, measure(clients[client])) for _, client in itertools.product(range(ROUNDS), clients)]
    best = {client: max(figure for name, figure in figures if name == client) for client in clients}
    for client, (rate, used, server) in best.items():
        ratio = best[OURS][0] / rate
        print(f"| {int(rows):,} {records} | {work} | {client} | {rate:,.0f} | {ratio:.2f} | {used:.3f} | {server:.3f} |", flush=True)
