"""Imported before all else, and light: Ctrl-C ends the command `ndcg` quietly, even while it is loading."""

import os
import signal
import sys


def leave(*_: object) -> None:
    "End the process at once, with the code of an interruption and without a traceback"
    os._exit(130)


_STARTED = [os.path.basename(word) for word in sys.orig_argv[-len(sys.argv) :][:1]]  # a script, or the name behind -m
if _STARTED in (["ndcg"], ["ndcg.exe"], ["ndcg_nb"]) and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, leave)
