"""Prefect's server on a socket that is handed over: `python -m flows.server_process 5` serves on descriptor 5.

It lives as long as whoever started it: when its input ends, so does it, even if the starter was killed.
"""

import os
import socket
import sys
import threading


def leave_with_the_starter() -> None:
    """Wait until the other end of our input is gone, then leave."""
    sys.stdin.buffer.read()
    os._exit(0)


def serve(descriptor: int) -> None:
    """Answer on a listening socket until told to stop."""
    threading.Thread(target=leave_with_the_starter, daemon=True).start()

    import uvicorn
    from prefect.server.api.server import create_app

    config = uvicorn.Config(create_app(), log_level="critical", lifespan="on")
    uvicorn.Server(config).run(sockets=[socket.socket(fileno=descriptor)])


if __name__ == "__main__":
    serve(int(sys.argv[1]))
