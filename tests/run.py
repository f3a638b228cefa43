"""How long does each test program take, and which of them fail? Runs those that cargo built, several side by side.

    cargo test --workspace --tests --no-run --message-format=json >built.json
    python3 tests/run.py built.json [COMMAND ...]

`cargo test` runs one program after the other, and many leave a core idle: they wait for a window, a server or their longest test. Here
each has one thread, and there are as many at a time as cores, and one. COMMANDs of the shell run beside them, from the start.
"""

import json
import os
import re
import subprocess
import sys
import threading
import time

# What takes longest goes first, so that nothing is waited for alone at the end.
LONGEST = (
    "habits primitives viewer height mesh_and_pool elevation command_line analysis readme headers fidelity fetch packages replay picture"
).split()


class Job:
    """A command, where it runs, and what it left behind."""

    def __init__(self, name, command, folder=None, environment=None):
        self.name, self.command, self.folder = name, command, folder
        self.environment = {**os.environ, **(environment or {})}
        self.output, self.code, self.seconds, self.work = "", None, 0.0, 0.0

    def run(self):
        started = time.monotonic()
        process = subprocess.Popen(
            self.command, cwd=self.folder, env=self.environment, shell=isinstance(self.command, str),
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
        )
        with process.stdout:
            self.output = process.stdout.read()
        # As `wait` does, and with what the process and those it waited for took of the processor.
        _, status, used = os.wait4(process.pid, 0)
        self.code = process.returncode = os.waitstatus_to_exitcode(status)
        self.seconds, self.work = time.monotonic() - started, used.ru_utime + used.ru_stime

    def line(self):
        counts = re.findall(r"^test result: .*?(\d+) passed; (\d+) failed; (\d+) ignored", self.output, re.MULTILINE)
        told = re.findall(r"^(\d+ passed.*) in ", self.output, re.MULTILINE)
        if counts:
            passed, failed, ignored = (sum(map(int, column)) for column in zip(*counts))
            told = [f"{passed} passed, {failed} failed, {ignored} ignored"]
        times = f"{self.seconds:7.1f} s, {self.work:7.1f} s of a core"
        return f"{times}  {self.name}: {told[-1] if told else ''}{'' if self.code == 0 else ' FAILED'}"


def programs(messages):
    """The test programs among cargo's messages."""
    libraries = subprocess.run(["rustc", "--print", "target-libdir"], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
    for message in map(json.loads, messages):
        if message["reason"] != "compiler-artifact" or not message["profile"]["test"] or not message["executable"]:
            continue
        folder, program = os.path.dirname(message["manifest_path"]), message["executable"]
        source = os.path.relpath(message["target"]["src_path"], os.getcwd())
        # As cargo does.
        paths = [os.path.dirname(program), libraries, os.environ.get("LD_LIBRARY_PATH")]
        environment = {"CARGO_MANIFEST_DIR": folder, "LD_LIBRARY_PATH": ":".join(filter(None, paths)), "RUST_TEST_THREADS": "1"}
        yield message["target"]["name"], Job(source, [program], folder, environment)


def main():
    with open(sys.argv[1], encoding="utf-8") as messages:
        found = list(programs(messages))
    found.sort(key=lambda named: LONGEST.index(named[0]) if named[0] in LONGEST else len(LONGEST))
    waiting = [Job(command.splitlines()[-1].strip(), command) for command in sys.argv[2:]] + [job for _, job in found]
    if not found:
        sys.exit("no test programs: is the file what cargo test --no-run --message-format=json wrote?")
    jobs, lock = list(waiting), threading.Lock()

    def work():
        while True:
            with lock:
                if not waiting:
                    return
                job = waiting.pop(0)
            job.run()
            with lock:
                print(job.line(), flush=True)
                if job.code != 0:
                    print(job.output, flush=True)

    threads = [threading.Thread(target=work, daemon=True) for _ in range((os.cpu_count() or 1) + 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    failed = [job.name for job in jobs if job.code != 0]
    if failed:
        sys.exit(f"failed: {', '.join(failed)}")


if __name__ == "__main__":
    main()
