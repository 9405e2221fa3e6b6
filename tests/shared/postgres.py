"""A private PostgreSQL server for tests, and psql to talk to it: no port, no password, nothing left behind."""

from __future__ import annotations

import io
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

INSTALL = "PostgreSQL: apt install postgresql"
TYPES = {"i": "BIGINT", "f": "DOUBLE PRECISION"}


def tool(name: str) -> str | None:
    "Where a program of PostgreSQL is; Debian keeps most of them off the PATH"
    newest = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), key=lambda path: int(path.parts[-3]))
    return shutil.which(name) or next(map(str, reversed(newest)), None)


@dataclass(frozen=True)
class Postgres:
    "A server that listens in a folder"

    folder: str
    client: str  # The program psql

    def psql(self, script: str, database: str = "postgres") -> str:
        "What a script prints"
        where = ["-h", self.folder, "-U", "tests", "-d", database]
        command = [self.client, "-X", "-q", "--csv", "-v", "ON_ERROR_STOP=1", *where]
        done = subprocess.run(command, input=script, capture_output=True, text=True, encoding="utf-8")
        if done.returncode:
            raise RuntimeError(done.stderr)
        return done.stdout

    def answers(self, tables: dict[str, pd.DataFrame], texts: Sequence[str], database: str = "postgres") -> list[Any]:
        "The rows that each text gives, all in one go; the tables are there for so long"
        mark = "-- next --"
        script = "".join(f"{loaded(name, frame)}\n" for name, frame in tables.items())
        script += "".join(f"\\echo {mark}\n{text};\n" for text in texts)
        _, *parts = self.psql(script, database).split(f"{mark}\n")
        return [pd.read_csv(io.StringIO(x), dtype={"query": str}, keep_default_na=False, na_values=[""]) for x in parts]


def loaded(name: str, frame: pd.DataFrame) -> str:
    "A table that goes when the connection does"
    kinds = ", ".join(f'"{x}" {TYPES.get(frame[x].dtype.kind, "TEXT")}' for x in frame)
    rows = frame.to_csv(index=False, header=False)
    return f'CREATE TEMPORARY TABLE "{name}" ({kinds});\nCOPY "{name}" FROM STDIN WITH (FORMAT csv);\n{rows}\\.\n'


def _user() -> dict[str, Any]:
    "PostgreSQL does not run as root"
    if os.geteuid():
        return {}
    names = {x.pw_name: x for x in pwd.getpwall()}
    user = names.get("postgres") or names["nobody"]
    return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}


@contextmanager
def server() -> Iterator[Postgres]:
    "A server while it is needed, in a folder of its own"
    initdb, control, client = (tool(name) for name in ("initdb", "pg_ctl", "psql"))
    if initdb is None or control is None or client is None:
        pytest.skip(INSTALL)
    # a socket has no room for a long path
    folder = tempfile.mkdtemp(prefix="pg", dir="/tmp")
    user = _user()
    if user:
        os.chown(folder, user["user"], user["group"])

    def run(*command: Any) -> None:
        subprocess.run(command, check=True, cwd=folder, stdout=subprocess.DEVNULL, **user)

    try:
        run(initdb, "-D", "data", "-U", "tests", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync")
        options = f"-c listen_addresses='' -c unix_socket_directories={folder} -c fsync=off -c shared_buffers=16MB"
        run(control, "-D", "data", "-l", "log", "-w", "-o", options, "start")
        try:
            yield Postgres(folder, client)
        finally:
            run(control, "-D", "data", "-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder)
