"""Is a pack on object storage the pack that it is on a disk, and does each request bear a right signature? A server on loopback checks it."""

import datetime
import hashlib
import hmac
import json
import os
import re
import subprocess
import urllib.parse

import numpy as np
import pytest
from program import PROGRAM, needs_program, run
from test_remote import Handler, Server

import orogen

pytestmark = needs_program

# What is escaped in the path of a request.
KEY = "a folder/höhen+1 (%2F).pack"
AT = ("--at", "36.3,-84.3")


def signature(handler, names, time, scope, secret):
    """That of a request by AWS Signature Version 4, of the headers named."""
    path = urllib.parse.quote(urllib.parse.unquote(handler.path), safe="/-_.~")
    lines = "".join(f"{name}:{' '.join(handler.headers.get_all(name))}\n" for name in names)
    request = "\n".join(["GET", path, "", lines, ";".join(names), hashlib.sha256(b"").hexdigest()])
    text = "\n".join(["AWS4-HMAC-SHA256", time, "/".join(scope), hashlib.sha256(request.encode()).hexdigest()])
    key = b"AWS4" + secret.encode()
    for word in (*scope, text):
        key = hmac.digest(key, word.encode(), "sha256")
    return key.hex()


class Signed(Handler):
    """What gives parts of an object to whoever signs for them, or of a public one to anybody."""

    def do_GET(self):
        refusal = self.refusal()
        if not refusal:
            return super().do_GET()
        status, code = refusal
        said = f"<Error><Code>{code}</Code></Error>".encode()
        self.send_response(status)
        self.send_header("x-amz-bucket-region", self.server.region)
        self.send_header("Content-Length", str(len(said)))
        self.end_headers()
        self.wfile.write(said)

    def refusal(self):
        server, said = self.server, self.headers.get("Authorization")
        _, bucket, key = urllib.parse.unquote(self.path).split("/", 2)
        server.requests.append((self.path, said))
        if said:
            found = re.fullmatch(
                r"AWS4-HMAC-SHA256 Credential=(\w+)/(\d{8})/([\w-]+)/s3/aws4_request,SignedHeaders=([\w;-]+),Signature=(\w+)", said
            )
            id, day, region, names, signed = found.groups()
            names, time = names.split(";"), self.headers["x-amz-date"]
            asked = datetime.datetime.strptime(time, "%Y%m%dT%H%M%S%z")
            assert abs(datetime.datetime.now(datetime.timezone.utc) - asked) < datetime.timedelta(minutes=5)
            assert {"host", "range", "x-amz-content-sha256", "x-amz-date"} <= set(names) and names == sorted(names)
            assert time.startswith(day) and self.headers["x-amz-content-sha256"] == hashlib.sha256(b"").hexdigest()
            if region != server.region:
                return 400, "AuthorizationHeaderMalformed"
            if id != server.id:
                return 403, "InvalidAccessKeyId"
            if signed != signature(self, names, time, (day, region, "s3", "aws4_request"), server.secret):
                return 403, "SignatureDoesNotMatch"
            if self.headers.get("x-amz-security-token") != server.token or (server.token and "x-amz-security-token" not in names):
                return 403, "InvalidToken"
        elif bucket != "public":
            return 403, "AccessDenied"
        if bucket == "moved":
            return 301, "PermanentRedirect"
        if bucket not in ("alps", "public"):
            return 404, "NoSuchBucket"
        return None if key == KEY else (404, "NoSuchKey")


@pytest.fixture
def storage(pack, rng, monkeypatch):
    """A server with keys of its own, which the environment has."""
    word = lambda: rng.bytes(20).hex()
    server = Server(pack, Signed)
    server.id, server.secret, server.token, server.region = f"ID{word()}", f"{word()}/+", None, "eu-central-1"
    server.requests = []
    for name in [name for name in os.environ if name.startswith("AWS_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", server.id)
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", server.secret)
    monkeypatch.setenv("AWS_REGION", server.region)
    monkeypatch.setenv("AWS_ENDPOINT_URL_S3", f"http://127.0.0.1:{server.server_port}")
    yield server
    server.shutdown()
    server.server_close()


def said_of(storage, bucket="alps", key=KEY):
    """What is said when an object is not opened: one line that tells no key."""
    with pytest.raises(OSError) as caught:
        orogen.Surface.open(f"s3://{bucket}/{key}")
    said = str(caught.value)
    assert f"s3://{bucket}/" in said and "\n" not in said and storage.secret not in said and storage.id not in said
    return said


@pytest.mark.parametrize("token", [None, "a/token+for=a=time=="])
def test_an_object_has_the_bits_of_the_file(storage, pack, rng, token, monkeypatch):
    storage.token = token
    if token:
        monkeypatch.setenv("AWS_SESSION_TOKEN", token)
    near, far = orogen.Surface.open(pack), orogen.Surface.open(f"s3://alps/{KEY}")
    lat, lon = rng.uniform(36.2, 36.4, 400), rng.uniform(-84.4, -84.1, 400)
    assert np.array_equal(far.heights(lat, lon), near.heights(lat, lon)) and far.bounds == near.bounds
    # Each part is signed for itself, and no address holds a signature.
    signed = [said for _, said in storage.requests]
    assert len(set(signed)) == len(signed) > 2 and not any("?" in path for path, _ in storage.requests)
    assert f"s3://alps/{KEY}" in repr(far.layers) and storage.id not in repr(far.layers)


def test_public_objects_are_read_without_keys(storage, pack, monkeypatch):
    monkeypatch.setenv("AWS_NO_SIGN_REQUEST", "YES")
    height = orogen.Surface.open(pack).heights(36.3, -84.3)
    assert orogen.Surface.open(f"s3://public/{KEY}").heights(36.3, -84.3) == height
    assert "AWS_NO_SIGN_REQUEST is set: unset it" in said_of(storage)
    for name in ("AWS_NO_SIGN_REQUEST", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.delenv(name)
    assert orogen.Surface.open(f"s3://public/{KEY}").heights(36.3, -84.3) == height
    assert storage.requests and not any(said for _, said in storage.requests)
    assert "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not set" in said_of(storage)


@pytest.mark.parametrize(
    "name, value, says",
    [
        ("AWS_SECRET_ACCESS_KEY", "wrong", "status 403 (SignatureDoesNotMatch): AWS_SECRET_ACCESS_KEY is not that of"),
        ("AWS_ACCESS_KEY_ID", "wrong", "does not know AWS_ACCESS_KEY_ID; keys for a time need AWS_SESSION_TOKEN"),
        ("AWS_SESSION_TOKEN", "wrong", "AWS_SESSION_TOKEN is not that of the keys"),
        ("AWS_REGION", "us-west-2", "the bucket lies in eu-central-1: set AWS_REGION=eu-central-1"),
        ("AWS_SECRET_ACCESS_KEY", "", "AWS_SECRET_ACCESS_KEY is not set"),
        ("AWS_ENDPOINT_URL_S3", "localhost", "AWS_ENDPOINT_URL_S3 is no address of a server"),
    ],
)
def test_a_wrong_variable_is_named(storage, monkeypatch, name, value, says):
    monkeypatch.setenv(name, value)
    assert says in said_of(storage)


def test_what_is_not_there_is_named(storage):
    assert "status 404 (NoSuchKey): the bucket alps has no such object" in said_of(storage, key="other.pack")
    assert "has no bucket andes" in said_of(storage, bucket="andes")
    assert "the bucket lies elsewhere: set AWS_REGION" in said_of(storage, bucket="moved")
    assert "no bucket: give s3://BUCKET/KEY.pack" in said_of(storage, bucket="")


def test_the_program_reads_objects_and_tells_no_key(storage, pack, tmp_path, monkeypatch):
    storage.token = "token-of-a-test"
    monkeypatch.setenv("AWS_SESSION_TOKEN", storage.token)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    address = f"s3://alps/{KEY}"

    def told(*verb, log="warn"):
        environment = os.environ | {"RUST_LOG": log}
        done = subprocess.run([PROGRAM, *map(str, verb), address], capture_output=True, env=environment, timeout=300)
        everything = done.stdout.decode() + done.stderr.decode()
        assert not any(secret in everything for secret in (storage.secret, storage.token, "Signature=")), verb
        return done.returncode, everything

    code, log = told("query", "height", *AT, log="trace")
    assert code == 0 and f"GET http://127.0.0.1:{storage.server_port}/alps/" in log
    for verb in (("info",), ("verify",), ("render", *AT, "--size", "32x32", "--software", "-o", tmp_path / "a.png")):
        assert told(*verb)[0] == 0, verb
    near, far = (json.loads(run("query", "height", "--json", *AT, source))[0] for source in (pack, address))
    assert near["height_m"] == far["height_m"]
    kept = [file.read_bytes() for file in (tmp_path / "cache").rglob("*") if file.is_file()]
    assert kept and not any(secret.encode() in file for file in kept for secret in (storage.secret, storage.token, storage.id))
    asked = len(storage.requests)
    code, said = told("query", "height", "--offline", *AT)
    assert code == 1 and "leave out --offline" in said and len(storage.requests) == asked
