"""Work on any `concurrent.futures.Executor`: keep it fed, survive the death of a worker.

Conventions: workers compute and return values; only the caller writes. At most a few jobs are in flight, so that
stopping loses little and memory does not grow with the run.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from typing import Any, Protocol, TypeVar

from bench.fault import Fault

AHEAD = 2  # jobs in flight for each worker, so that none is idle while the caller writes


class Job(Protocol):
    """One thing to do. A suspect was in flight when a worker died: it is done alone, to find the one that kills."""

    @property
    def suspect(self) -> bool: ...


J = TypeVar("J", bound=Job)
V = TypeVar("V")


@contextmanager
def processes(workers: int) -> Iterator[Executor]:
    """An executor of separate processes. Two processes of one thread beat one process of two threads on all
    embedded recognisers. The processes leave Ctrl-C to the caller and end when the caller is gone, or leaves the block
    by an exception: nobody would read what they compute."""
    context = multiprocessing.get_context("spawn")
    left = context.RawValue("b", 0)  # an event would wait for the answer of a process that has died
    pool = ProcessPoolExecutor(workers, mp_context=context, initializer=_become_worker, initargs=(os.getpid(), left))
    try:
        yield pool
    except BaseException:
        left.value = 1
        raise
    finally:
        with _patient():
            pool.shutdown(wait=True, cancel_futures=True)


@contextmanager
def _patient() -> Iterator[None]:
    """Without Ctrl-C, for a wait that is short: a second one would leave processes behind that nobody waits for."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def cluster(address: str) -> Iterator[tuple[Executor, int]]:
    """An executor on the Dask cluster whose scheduler listens at `address`, and its number of threads.

    Raises Fault where Dask is missing, nobody answers, no worker has joined, or one died of what it was given.
    """
    try:
        from distributed import Client, KilledWorker
    except ModuleNotFoundError:
        raise Fault("A cluster needs Dask: pip install -c constraints.txt -e '.[cluster]'.") from None
    try:
        client = Client(address, timeout=5)
    except (OSError, TimeoutError, ValueError) as error:
        raise Fault(
            f"There is no Dask scheduler at {address!r} ({error}); expected an address such as tcp://host:8786."
        ) from None
    with client:
        width = sum(client.nthreads().values())
        if not width:
            raise Fault(f"The Dask scheduler at {address!r} has no worker; start one with dask worker {address}.")
        with client.get_executor() as executor:
            try:
                yield executor, width
            except KilledWorker as error:
                raise Fault(
                    f"A worker of the cluster died ({error}). Nothing is lost: the same command goes on from here."
                ) from error


def _become_worker(parent: int, left: Any) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def watch() -> None:
        while os.getppid() == parent and not left.value:
            time.sleep(0.2)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def drain(
    outstanding: Callable[[], Sequence[J]],
    submit: Callable[[J], Future[V]],
    record: Callable[[J, V | None], None],
    width: int,
) -> None:
    """Do all that `outstanding` lists, until it lists nothing; `record` gets each answer, None for a dead worker.

    `width` is the number of workers. Raises Fault after a worker died, when what was in flight is recorded.
    """
    while jobs := outstanding():
        _flow([job for job in jobs if job.suspect], submit, record, 1)
        _flow([job for job in jobs if not job.suspect], submit, record, AHEAD * width)


def _flow(
    jobs: Sequence[J], submit: Callable[[J], Future[V]], record: Callable[[J, V | None], None], ahead: int
) -> None:
    flying: dict[Future[V], J] = {}
    queue = iter(jobs)
    try:
        while True:
            while len(flying) < ahead and (job := next(queue, None)) is not None:
                flying[submit(job)] = job
            if not flying:
                return
            for future in wait(flying, return_when=FIRST_COMPLETED).done:
                answer = future.result()
                record(flying.pop(future), answer)
    except BrokenExecutor as error:
        for future, job in flying.items():  # what was answered before the death is kept
            answered = future.done() and not future.cancelled() and future.exception() is None
            record(job, future.result() if answered else None)
        raise Fault(
            "A worker process died, perhaps for want of memory. Nothing is lost: the same command goes on from here, "
            "and tries what was in work one by one."
        ) from error
