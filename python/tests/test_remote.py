"""Is a pack on a server the pack that it is on a disk? A server on loopback gives parts of it, or something else."""

import http.server
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
        self.status, self.asked = 206, 0
        super().__init__(("127.0.0.1", 0), handler or Handler)
        threading.Thread(target=self.serve_forever, args=(0.02,), daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_port}/hills.pack?key=secret"


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        server = self.server
        first, last = (int(part) for part in self.headers["Range"].removeprefix("bytes=").split("-"))
        part = server.data[first : last + 1] if server.status == 206 else server.data if server.status == 200 else b""
        server.asked += len(part)
        self.send_response(server.status)
        self.send_header("Content-Length", str(len(part)))
        self.send_header("ETag", '"first"')
        if server.status == 206:
            self.send_header("Content-Range", f"bytes {first}-{first + len(part) - 1}/{len(server.data)}")
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


def test_what_could_not_be_read_is_no_answer(server):
    surface = orogen.Surface.open(server.url)
    server.status = 404
    with pytest.raises(OSError, match="no such file"):
        surface.heights(np.linspace(36.2, 36.4, 50), -84.2)
