"""Runs a command on a terminal of its own and prints its exit code and its screen as JSON."""
import json
import os
import pty
import re
import select
import sys
import time

LIMIT_SECONDS = 40

call = json.loads(sys.argv[1])
pid, terminal = pty.fork()
if pid == 0:
    os.execvp(call["words"][0], call["words"])

screen = ""
seen = 0
replies = [(text, keys) for text, keys in call["replies"]]
deadline = time.monotonic() + LIMIT_SECONDS
while time.monotonic() < deadline:
    readable, _, _ = select.select([terminal], [], [], 0.1)
    if readable:
        try:
            chunk = os.read(terminal, 65536)
        except OSError:  # Linux says so where others give an empty text: the other end is closed.
            break
        if not chunk:
            break
        screen += chunk.decode("utf-8", "replace")
    if replies:
        text, keys = replies[0]
        pattern = text[1:-1] if text.startswith("/") and text.endswith("/") else re.escape(text)
        found = re.compile(pattern).search(screen, seen)
        if found:
            os.write(terminal, found.expand(keys).encode() if text.startswith("/") else keys.encode())
            seen = found.end()
            replies.pop(0)
else:
    os.kill(pid, 9)

_, status = os.waitpid(pid, 0)
print(json.dumps({"code": os.waitstatus_to_exitcode(status), "screen": screen}))
