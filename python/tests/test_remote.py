"""Is a pack on a server the pack that it is on a disk? A server on loopback gives parts of it, or something else."""

import http.server
import math
import threading

import numpy as np
import pytest
from program import needs_program

import orogen

pytestmark = needs_program


class Server(http.server.ThreadingHTTPServer):
    """A server of one file, which gives parts of it as long as nothing else is said."""

    def __init__(self, file, handler=None):
        self.data = file.read_bytes()
        self.status, self.asked, self.refusals_left = 206, 0, math.inf
        super().__init__(("127.0.0.1", 0), handler or Handler)
        threading.Thread(target=self.serve_forever, args=(0.02,), daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_port}/hills.pack?key=secret"


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        server, status = self.server, self.server.status
        first, last = (int(part) for part in self.headers["Range"].removeprefix("bytes=").split("-"))
        part = server.data[first : last + 1] if status == 206 else server.data if status == 200 else b""
        server.asked += len(part)
        self.send_response(status)
        self.send_header("Content-Length", str(len(part)))
        self.send_header("ETag", '"first"')
        if status == 206:
            self.send_header("Content-Range", f"bytes {first}-{first + len(part) - 1}/{len(server.data)}")
        if status == 503:
            self.send_header("Retry-After", "0")
            server.refusals_left -= 1
            if server.refusals_left <= 0:
                server.status = 206
        self.end_headers()
        try:
            self.wfile.write(part)
        except OSError:
            # Who wanted a part does not read the whole.
            self.close_connection = True

    def log_message(self, *_):
        pass


@pytest.fixture
def server(pack):
    server = Server(pack)
    yield server
    server.shutdown()
    server.server_close()


def test_a_pack_on_a_server_has_the_bits_of_the_file(server, pack, rng):
    near, far = orogen.Surface.open(pack), orogen.Surface.open(server.url)
    lat, lon = rng.uniform(36.2, 36.4, 400), rng.uniform(-84.4, -84.1, 400)
    assert np.array_equal(far.heights(lat, lon), near.heights(lat, lon))
    assert np.array_equal(far.slope(lat, lon), near.slope(lat, lon))
    assert far.viewshed(36.33, -84.18, 500).cells.tobytes() == near.viewshed(36.33, -84.18, 500).cells.tobytes()
    assert "secret" not in repr(far) and far.bounds == near.bounds
    # No more than what answers need, but for what is read over.
    assert 0 < server.asked < len(server.data)


@pytest.mark.parametrize("status, says", [(200, "parts"), (404, "no such file"), (403, "refuses")])
def test_a_server_that_gives_no_parts_is_told(server, status, says):
    server.status = status
    with pytest.raises(OSError, match=says) as caught:
        orogen.Surface.open(server.url)
    assert "secret" not in str(caught.value)


def test_what_could_not_be_read_is_no_answer_and_is_asked_for_again(server, pack, rng):
    near, far = orogen.Surface.open(pack), orogen.Surface.open(server.url)
    lat, lon = rng.uniform(36.2, 36.4, (8, 6)), rng.uniform(-84.4, -84.1, (8, 6))
    expected = near.heights(lat, lon)
    server.status = 503
    with pytest.raises(OSError, match="try again later"):
        far.heights(lat[0], lon[0])
    right = []

    def ask(k):
        try:
            right.append(np.array_equal(far.heights(lat[k], lon[k]), expected[k]))
        except OSError:
            pass

    # Some while the server fails, some while it answers again.
    threads = [threading.Thread(target=ask, args=(k,)) for k in range(8)]
    for k, thread in enumerate(threads):
        thread.start()
        server.status = 206 if k > 3 else 503
    for thread in threads:
        thread.join()
    assert all(right)
    assert np.array_equal(far.heights(lat, lon), expected)
    assert far.viewshed(36.33, -84.18, 500).cells.tobytes() == near.viewshed(36.33, -84.18, 500).cells.tobytes()


@pytest.mark.skipif(not hasattr(orogen._orogen, "Studio"), reason="no pictures in this package")
def test_a_picture_after_a_failure_is_that_of_the_data(server, pack):
    scene = {"size": (96, 54), "pixel_error": 4, "software": True}
    view = {"at": (36.25, -84.3, 2500), "look": (40, -25)}
    studio = orogen.Studio(server.url, **scene)
    # It answers again before the picture is done, and no part of that is left.
    server.status, server.refusals_left = 503, 200
    with pytest.raises(RuntimeError, match="try again later"):
        studio.picture(**view)
    assert np.array_equal(studio.picture(**view).pixels, orogen.Studio(pack, **scene).picture(**view).pixels)
