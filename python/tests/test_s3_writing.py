"""Is a pack that is baked onto object storage the local one, byte for byte, whatever gets lost on the way? A moto server, and faults before it."""

import http.client
import http.server
import os
import pathlib
import signal
import subprocess
import threading
import time
import urllib.request

import pytest
from program import PROGRAM, RASTER, needs_program, run

import orogen

boto3 = pytest.importorskip("boto3")
moto = pytest.importorskip("moto.server")
pytestmark = needs_program

# Enough for five parts of 8 MiB.
LARGE = (RASTER, "--max-level", 9)
SMALL = ("--max-level", 1)


class Handler(http.server.BaseHTTPRequestHandler):
    """What hands requests on to the storage, and loses some."""

    protocol_version = "HTTP/1.1"

    def handle_one(self):
        server = self.server
        length = int(self.headers.get("Content-Length") or 0)
        fault = server.fault(f"{self.command} {self.path}")
        body = self.rfile.read(length // 2 if fault == "closed" else length)
        if fault == "closed":
            self.close_connection = True
            return
        if fault == "refused":
            self.answer(500, {}, b"<Error><Code>InternalError</Code></Error>")
            return
        if fault == "cut":
            body = body[: length // 2]
        # Storage decides about one request after the other.
        with server.lock:
            status, headers, answer = server.handed_on(self.command, self.path, dict(self.headers), body)
        if fault == "lost":
            self.close_connection = True
            return
        self.answer(status, headers, answer)

    do_GET = do_HEAD = do_PUT = do_POST = do_DELETE = handle_one

    def answer(self, status, headers, body):
        self.send_response(status)
        for name, value in headers.items():
            if name.lower() not in ("content-length", "connection", "date", "server", "transfer-encoding"):
                self.send_header(name, value)
        length = headers.get("Content-Length", "0") if self.command == "HEAD" else str(len(body))
        self.send_header("Content-Length", length)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Proxy(http.server.ThreadingHTTPServer):
    """A way to storage with faults: by the words in a request, what happens to it, each as often as said."""

    def __init__(self, port):
        self.storage, self.lock, self.faults, self.asked = port, threading.Lock(), [], []
        self.meeting = None
        super().__init__(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.serve_forever, args=(0.02,), daemon=True).start()

    def fault(self, request):
        self.asked.append(request)
        if self.meeting and "uploadId" in request and request.startswith("POST"):
            # All of them give the name at the same time.
            self.meeting.wait(60)
        for k, (words, fault, times) in enumerate(self.faults):
            if words in request and times > 0:
                self.faults[k] = (words, fault, times - 1)
                return fault
        return None

    def handed_on(self, method, path, headers, body):
        connection = http.client.HTTPConnection("127.0.0.1", self.storage, timeout=60)
        headers.pop("Connection", None)
        connection.request(method, path, body, headers | {"Content-Length": str(len(body))})
        answer = connection.getresponse()
        told = answer.status, dict(answer.getheaders()), answer.read()
        connection.close()
        return told


class Storage:
    """A bucket, and the way to it."""

    def __init__(self, port):
        self.proxy = Proxy(port)
        self.client = boto3.client(
            "s3",
            endpoint_url=f"http://127.0.0.1:{port}",
            aws_access_key_id="id",
            aws_secret_access_key="secret",
            region_name="us-east-1",
        )
        self.client.create_bucket(Bucket="alps")

    def bytes(self, key):
        return self.client.get_object(Bucket="alps", Key=key)["Body"].read()

    def keys(self):
        return sorted(found["Key"] for found in self.client.list_objects_v2(Bucket="alps").get("Contents", []))

    def uploads(self):
        return self.client.list_multipart_uploads(Bucket="alps").get("Uploads", [])


@pytest.fixture
def storage(monkeypatch):
    for name in [name for name in os.environ if name.startswith("AWS_")]:
        monkeypatch.delenv(name)
    server = moto.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    port = server.get_host_and_port()[1]
    # Servers of one process share their buckets.
    urllib.request.urlopen(urllib.request.Request(f"http://127.0.0.1:{port}/moto-api/reset", method="POST")).close()
    storage = Storage(port)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "id")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    monkeypatch.setenv("AWS_ENDPOINT_URL_S3", f"http://127.0.0.1:{storage.proxy.server_port}")
    yield storage
    storage.proxy.shutdown()
    storage.proxy.server_close()
    server.stop()


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    pack = tmp_path_factory.mktemp("packs") / "large.pack"
    run("bake", *LARGE, "-o", pack)
    expected = pack.read_bytes()
    assert 4 * 8 << 20 < len(expected) < 5 * 8 << 20
    return expected


def tried(*words):
    """Exit code, and what is said on stderr."""
    done = subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, timeout=300)
    return done.returncode, done.stderr


def refused(*words):
    """The one line that is said when it fails."""
    code, said = tried(*words)
    # Others say how far it is.
    progress = ("orogen: baking", "orogen: putting", "orogen: looking")
    lines = [line for line in said.splitlines() if line.startswith("orogen: ") and not line.startswith(progress)]
    assert code != 0 and len(lines) == 1 and said.endswith(f"{lines[0]}\n") and "secret" not in said, said
    return lines[0]


def is_empty(folder):
    return not any(folder.iterdir())


def test_bytes_survive_faults(storage, large, tmp_path, rng):
    storage.proxy.faults = [
        ("partNumber=1&", "refused", 2),
        ("partNumber=2&", "closed", 1),
        ("partNumber=3&", "lost", 1),
        ("POST /alps/a.pack?uploadId", rng.choice(["lost", "refused"]), 1),
    ]
    to = ("-o", "s3://alps/a.pack", "--work-dir", tmp_path)
    run("bake", *LARGE, *to)
    assert storage.bytes("a.pack") == large and storage.keys() == ["a.pack"] and not storage.uploads()
    assert all(times == 0 for *_, times in storage.proxy.faults) and is_empty(tmp_path)
    # It is there; another one is not put in its place unasked.
    asked = len(storage.proxy.asked)
    code, said = tried("bake", *LARGE, *to)
    assert code == 0 and "is there already" in said
    assert not any(request.startswith(("PUT", "POST")) for request in storage.proxy.asked[asked:])
    assert "made from other data or options" in refused("bake", *SMALL, *to)
    assert storage.bytes("a.pack") == large
    run("bake", *SMALL, *to, "--overwrite")
    run("bake", *SMALL, "-o", tmp_path / "small.pack")
    assert storage.bytes("a.pack") == (tmp_path / "small.pack").read_bytes()
    assert run("query", "height", "--at", "46,8", "s3://alps/a.pack")


def test_what_fails_leaves_nothing_and_goes_on(storage, large, tmp_path):
    to = ("-o", "s3://alps/a.pack", "--work-dir", tmp_path)
    requests = ("partNumber=2&", "partNumber=1&", "partNumber=3&", "partNumber=5&", "POST /alps/a.pack?uploadId")
    for request, fault in zip(requests, ("refused", "closed", "cut", "cut", "refused")):
        storage.proxy.faults = [(request, fault, 99)]
        line = refused("bake", *LARGE, *to)
        assert "s3://alps/a.pack: " in line and "try again later" in line
        assert storage.keys() == [] and not storage.uploads()
        # From the first time on the pack is made already, and only put there.
        assert [file.read_bytes() for file in tmp_path.iterdir()] == [large]
    storage.proxy.faults = []
    assert "is there already" in tried("bake", *LARGE, *to)[1]
    assert storage.bytes("a.pack") == large and is_empty(tmp_path)


def test_of_two_bakers_one_is_refused(storage, large, tmp_path):
    storage.proxy.meeting = threading.Barrier(2)
    levels = (12, 13)
    words = [[RASTER, "--max-level", level, "-o", "s3://alps/a.pack", "--work-dir", tmp_path / str(level)] for level in levels]
    told = [None, None]

    def bake(k):
        told[k] = tried("bake", *words[k])

    bakers = [threading.Thread(target=bake, args=(k,)) for k in range(2)]
    for baker in bakers:
        baker.start()
    for baker in bakers:
        baker.join()
    codes = [code for code, _ in told]
    assert sorted(codes) == [0, 1], told
    winner, loser = codes.index(0), codes.index(1)
    assert "s3://alps/a.pack is there already: give another name, or --overwrite" in told[loser][1]
    run("bake", RASTER, "--max-level", levels[winner], "-o", tmp_path / "own.pack")
    assert storage.bytes("a.pack") == (tmp_path / "own.pack").read_bytes() and not storage.uploads()


def test_shards_are_joined_there(storage, large, tmp_path):
    shards = [f"s3://alps/shards/{k}.pack" for k in range(1, 4)]
    for k, shard in enumerate(shards, 1):
        run("bake", *LARGE, "-o", shard, "--shard", f"{k}/3", "--work-dir", tmp_path)
    assert is_empty(tmp_path)
    # One that is there is not made again.
    assert "is there already" in tried("bake", *LARGE, "-o", shards[1], "--shard", "2/3", "--work-dir", tmp_path)[1]
    assert "shard 2 of 3 is missing" in refused("pack", "merge", shards[2], shards[0], "-o", "s3://alps/a.pack")
    merge = ("pack", "merge", *shards[::-1], "-o", "s3://alps/a.pack", "--work-dir", tmp_path)
    run(*merge)
    assert storage.bytes("a.pack") == large and is_empty(tmp_path)
    assert "is there already" in tried(*merge)[1]


def test_what_is_wrong_is_told_before_any_work(storage, tmp_path, monkeypatch):
    def line(out, *more):
        said = refused("bake", *SMALL, "-o", out, *more)
        assert is_empty(tmp_path)
        return said

    work = ("--work-dir", tmp_path)
    assert "has no bucket andes" in line("s3://andes/a.pack", *work)
    assert "give s3://BUCKET/KEY.pack" in line("s3://alps/a.tif", *work)
    assert "give -o s3://BUCKET/KEY.pack" in line("https://example.org/a.pack")
    assert "leave it out" in line("s3://alps/a.pack", "--offline", *work)
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "")
    assert "AWS_SECRET_ACCESS_KEY is not set" in line("s3://alps/a.pack", *work)
    assert storage.keys() == [] and not storage.uploads()


@pytest.mark.skipif(os.name != "posix", reason="Ctrl-C is sent as a signal")
def test_ctrl_c_leaves_nothing(storage, large, tmp_path):
    # It would try again for half a minute.
    storage.proxy.faults = [("partNumber=3&", "refused", 99)]
    words = ["bake", *LARGE, "-o", "s3://alps/a.pack", "--work-dir", tmp_path]
    baker = subprocess.Popen([PROGRAM, *map(str, words)], stderr=subprocess.PIPE, text=True)
    until = time.monotonic() + 240
    while not any("partNumber=3&" in request for request in storage.proxy.asked) and time.monotonic() < until:
        time.sleep(0.01)
    assert storage.uploads()
    baker.send_signal(signal.SIGINT)
    said = baker.communicate(timeout=60)[1]
    assert baker.returncode == 1 and "interrupted before it was there" in said
    assert storage.keys() == [] and not storage.uploads()
    assert [file.suffix for file in tmp_path.iterdir()] == [".pack"]


def test_python_puts_packs_there(storage, earth, tmp_path):
    orogen.bake(earth, tmp_path / "a.pack", max_level=1)
    expected, work = (tmp_path / "a.pack").read_bytes(), tmp_path / "work"
    with pytest.raises(ValueError, match="work_dir="):
        orogen.bake(earth, "s3://alps/a.pack", max_level=1)
    with pytest.raises(OSError, match="has no bucket andes"):
        orogen.bake(earth, "s3://andes/a.pack", max_level=1, work_dir=work)
    storage.proxy.faults = [("PUT", "lost", 1)]
    for _ in range(2):
        orogen.bake(earth, "s3://alps/a.pack", max_level=1, work_dir=work)
        assert storage.bytes("a.pack") == expected and is_empty(work)
    with pytest.raises(FileExistsError, match="other data or options"):
        orogen.bake(earth, "s3://alps/a.pack", max_level=0, work_dir=work)
    shards = [f"s3://alps/{k}.pack" for k in (1, 2)]
    for k, shard in enumerate(shards, 1):
        orogen.bake(earth, shard, max_level=1, shard=(k, 2), work_dir=work)
    orogen.merge(shards, "s3://alps/b.pack", work_dir=work)
    assert storage.bytes("b.pack") == expected and is_empty(work)


def test_workers_put_packs_there(storage, earth, tmp_path):
    distributed = pytest.importorskip("distributed")
    orogen.bake(earth, tmp_path / "a.pack", max_level=1)
    work = tmp_path / "work"
    with (
        distributed.LocalCluster(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        for _ in range(2):
            orogen.bake(earth, "s3://alps/a.pack", max_level=1, client=client, shards=2, work_dir=work)
            assert storage.bytes("a.pack") == pathlib.Path(tmp_path / "a.pack").read_bytes() and is_empty(work)
