"""A run carried out beside a notebook: started, watched, stopped, gone on with.

Conventions: a `Job` is one run in one thread, and whoever holds it may look at it at any time. Stopping waits until the
clips in work are done with; nothing that was recorded is lost, and `start` goes on from there. A run has one writer:
a second one, in this process or another, ends with a Fault, which the job keeps as its error.
"""

from __future__ import annotations

import threading

from bench import pipeline
from bench.fault import Fault
from bench.run import Run
from bench.work import processes


class _Stopped(Exception):
    """Raised inside of the pipeline, after a line was recorded, to leave it."""


class Job:
    """The work on one run. `step`, `done` and `total` say how far it is, `error` why it ended before its end."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.step, self.done, self.total = "", 0, 0
        self.error: str | None = None
        self.state = "idle"  # then running, stopping, and stopped, failed or finished
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    @property
    def running(self) -> bool:
        return self._thread is not None and self._thread.is_alive()

    def start(self, workers: int = 1) -> None:
        """Do what the run still lacks, in the background; nothing if that is being done."""
        if self.running:
            return
        self._stop.clear()
        self.error, self.state = None, "running"
        self._thread = threading.Thread(target=self._work, args=(workers,), daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End the work and wait for its end; the worker processes are gone when this returns."""
        if self.running:
            self.state = "stopping"
            self._stop.set()
        self.wait()

    def wait(self) -> None:
        """Wait until the work is over, however it ends."""
        if self._thread is not None:
            self._thread.join()

    def _work(self, workers: int) -> None:
        try:
            with processes(workers) as executor:
                pipeline.execute(self.run, executor, width=workers, progress=self._note)
        except _Stopped:
            self.state = "stopped"
        except Fault as fault:
            self.error, self.state = str(fault), "failed"
        except Exception as error:  # nobody above would see it: the thread is at its end
            self.error, self.state = f"{type(error).__name__}: {error}", "failed"
        else:
            self.state = "finished"

    def _note(self, step: str, done: int, total: int) -> None:
        self.step, self.done, self.total = step, done, total
        if self._stop.is_set():
            raise _Stopped
