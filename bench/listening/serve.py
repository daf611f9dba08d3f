"""A lab's server: gives each listener a page and keeps what comes back, so that nothing is lost whenever it stops.

Conventions: it listens on 127.0.0.1 unless told otherwise. What it serves is a fixed list of names, never a path. A
rating is answered only after it is on the disk (append, fsync); a page keeps what was not answered and sends it again,
and a record that comes twice counts once. `/` gives the next page that nobody has, remembered in `ratings/pages.log`;
a page whose listener never began can be freed, and is then given once more.
"""

from __future__ import annotations

import fcntl
import json
import re
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.cookies import CookieError, SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from bench.fault import Fault
from bench.journal import Journal
from bench.listening import design as frozen
from bench.listening.design import Design
from bench.listening.record import parse

LARGEST = 4_000_000  # bytes of one request: all records of a long session
PARTICIPANT = re.compile(r"[0-9A-Za-z-]{8,64}")
COOKIE = "earshot"


class Lab:
    """A study that is being listened to: its pages, and the two journals that its single server writes."""

    def __init__(self, folder: Path, design: Design, ratings: Journal, given: Journal) -> None:
        self.folder, self.design, self.ratings, self.given = folder, design, ratings, given
        self.lock = threading.Lock()
        self.open = True

    def finished(self, code: str) -> bool:
        """Whether every session of a page was finished, so that its browser may have another listener before it."""
        kept = [entry["record"] for entry in list(self.ratings.entries) if entry["code"] == code]
        ended = {record.get("session") for record in kept if record["kind"] == "finished"}
        return ended >= set(range(len(self.design.places[code].sessions)))

    def close(self) -> None:
        """Take nothing from here on; what is being taken is finished first."""
        with self.lock:
            self.open = False

    def page(self, code: str) -> bytes | None:
        """The page of a code of the design."""
        return (self.folder / "pages" / f"{code}.html").read_bytes() if code in self.design.places else None

    def next(self) -> str | None:
        """The next page that nobody has; None when all are given."""
        with self.lock:
            if not self.open:
                return None
            held = {entry["code"]: "free" not in entry for entry in self.given.entries}
            held |= {entry["code"]: True for entry in self.ratings.entries}
            code = next((code for code in self.design.places if not held.get(code)), None)
            if code is not None:
                self.given.append({"code": code})
                self.given.sync()
            return code

    def turn(self, code: str) -> int:
        """How often a page was given or freed: a browser that had it before has it no more."""
        return sum(entry["code"] == code for entry in list(self.given.entries))

    def free(self, code: str) -> None:
        """Let a page be given once more. Raises Fault for one that is not out, or that was rated on."""
        state = [entry for entry in self.given.entries if entry["code"] == code]
        if any(entry["code"] == code for entry in self.ratings.entries):
            raise Fault(f"The page {code} was rated on, so that it belongs to its listener; it cannot be freed.")
        if not state or "free" in state[-1]:
            out = ", ".join(sorted({entry["code"] for entry in self.given.entries})) or "none"
            raise Fault(f"The page {code} is given to nobody; given so far: {out}.")
        self.given.append({"code": code, "free": True})
        self.given.sync()

    def take(self, body: bytes) -> int:
        """Keep the records of a request; the HTTP status that says how it went. 204 means: on the disk."""
        try:
            sent = json.loads(body)
            head = {name: str(sent[name]) for name in ("design", "code", "participant")}
            records = sent["records"]
            known = head["code"] in self.design.places and PARTICIPANT.fullmatch(head["participant"])
            if not known or not records or not all(_sound(record) for record in records):
                return 400
        except (ValueError, KeyError, TypeError, RecursionError):
            return 400
        if head["design"] != self.design.sha256:
            return 409
        with self.lock:
            if not self.open:  # a connection outlives the server by its last request
                return 503
            for record in records:
                self.ratings.append({**head, "record": record})
            self.ratings.sync()
        return 204


def _sound(record: Any) -> bool:
    """Whether this is a record in text that UTF-8 can hold."""
    json.dumps(record, ensure_ascii=False).encode()  # a lone surrogate is a ValueError
    return parse(record) is not None


class _Answer(BaseHTTPRequestHandler):
    """One request. The server that runs it carries the `lab`."""

    protocol_version = "HTTP/1.1"
    server_version, sys_version = "Earshot", ""
    timeout = 60

    @property
    def lab(self) -> Lab:
        server = self.server
        assert isinstance(server, Server)
        return server.lab

    def do_GET(self) -> None:
        if self.path.partition("?")[0] == "/":
            code = self._own() or self.lab.next()
            if code is None:
                self._send(200, b"All places of this study are taken. Thank you.\n", "text/plain; charset=utf-8")
            else:
                more = {
                    "Location": f"/{code}",
                    "Set-Cookie": f"{COOKIE}={code}.{self.lab.turn(code)}; SameSite=Strict; Path=/",
                }
                self._send(303, b"", "text/plain", more)
            return
        page = self.lab.page(self.path.removeprefix("/"))
        if page is None:
            self._send(404, b"There is no such page.\n", "text/plain")
        else:
            self._send(200, page, "text/html; charset=utf-8")

    def do_POST(self) -> None:
        size = self.headers.get("Content-Length", "")
        kind = self.headers.get_content_type()
        fit = size.isdecimal() and int(size) <= LARGEST
        if self.path != "/ratings" or kind != "application/json" or not fit:
            self.close_connection = True
            status = 404 if self.path != "/ratings" else 413 if kind == "application/json" else 415
            self._send(status, b"", "text/plain")
            return
        self._send(self.lab.take(self.rfile.read(int(size))), b"", "text/plain")

    def _own(self) -> str | None:
        """The page that this browser was given before and has not finished."""
        try:
            held = SimpleCookie(self.headers.get("Cookie", "")).get(COOKIE)
        except CookieError:
            return None
        code, _, turn = held.value.partition(".") if held is not None else ("", "", "")
        known = code in self.lab.design.places and turn == str(self.lab.turn(code))
        return code if known and not self.lab.finished(code) else None

    def _send(self, status: int, body: bytes, kind: str, more: dict[str, str] | None = None) -> None:
        self.close_connection |= not self.lab.open
        self.send_response(status)
        for name, value in {
            "Content-Type": kind,
            "Content-Length": str(len(body)),
            "Cache-Control": "no-store",
            "X-Content-Type-Options": "nosniff",
            "X-Frame-Options": "DENY",
            "Referrer-Policy": "no-referrer",
            **(more or {}),
        }.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing: who asked for what is nobody's business."""


class Server(ThreadingHTTPServer):
    """The server of a lab; `serve_forever` until `shutdown`."""

    daemon_threads = True

    def __init__(self, address: tuple[str, int], lab: Lab) -> None:
        super().__init__(address, _Answer)
        self.lab = lab

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A browser that goes away in the middle is no fault of the server: nothing was answered, it sends again."""
        if not isinstance(sys.exception(), ConnectionError | TimeoutError):
            super().handle_error(request, client_address)


@contextmanager
def opened(folder: Path, *, host: str = "127.0.0.1", port: int = 0, free: Sequence[str] = ()) -> Iterator[Server]:
    """A server of the study in a folder; port 0 takes a free one; the pages `free` are given once more. Raises Fault
    where pages are missing, another server has the study, the address is taken, or a page cannot be freed."""
    design = frozen.read(folder)
    for code in design.places:
        if not (folder / "pages" / f"{code}.html").is_file():
            raise Fault(f"The study has no page yet; make them with bench study page {folder}.", file=folder / "pages")
    kept = folder / "ratings"
    kept.mkdir(exist_ok=True)
    with (folder / "serve.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Fault("Another server has this study; stop it first.", file=folder) from None
        with Journal(kept / "served.jsonl") as ratings, Journal(kept / "pages.log") as given:
            try:
                server = Server((host, port), Lab(folder, design, ratings, given))
            except OSError as error:
                raise Fault(f"The address {host}:{port} cannot be had ({error}); choose another --port.") from None
            with server:
                for code in free:
                    server.lab.free(code)
                try:
                    yield server
                finally:
                    server.lab.close()
