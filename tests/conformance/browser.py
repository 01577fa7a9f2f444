"""Drives pages in one headless Chromium, without any library: a page of ours asks for scripts, runs
each of them, and sends back what it saw. The report stands in a frame of that page, and a script does
what a reader would do in it."""

from __future__ import annotations

import http.server
import json
import queue
import shutil
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

CHROMIUM = next(
    (found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))),
    None,
)  # fmt: skip
DRIVER = """<!doctype html><meta charset="utf-8"><style>body { margin: 0 } iframe { border: 0 }</style><body>
<script>
const pause = time => new Promise(done => setTimeout(done, time));
let frame;
// Open the page afresh in a frame of this size; `address` is what follows its name.
async function open(width, height, address = "", file = "report.html") {
  if (frame) frame.remove();
  frame = document.createElement("iframe");
  frame.width = width; frame.height = height;
  const loaded = new Promise(done => frame.addEventListener("load", done));
  frame.src = file + address;
  document.body.append(frame);
  await loaded;
  while (!page().document.documentElement.dataset.ready) await pause(10);
  await settled();
}
const page = () => frame.contentWindow;
const within = selector => [...page().document.querySelectorAll(selector)];
const set = (selector, value) => {
  const control = within(selector)[0];
  control.value = value;
  control.dispatchEvent(new Event("input", {bubbles: true}));
};
// Until nothing has moved for a while, in which the page was drawn.
async function settled() {
  for (let still = 0, last = ""; still < 3;) {
    await pause(20);
    await Promise.race([new Promise(done => page().requestAnimationFrame(done)), pause(1000)]);
    const now = page().scrollY + " " + page().document.body.scrollHeight;
    still = now === last ? still + 1 : 0;
    last = now;
  }
}
// Go back or forward, which a busy browser does some time later.
async function travel(direction) {
  const there = new Promise(done => page().addEventListener("hashchange", done, {once: true}));
  page().history[direction]();
  await Promise.race([there, pause(10000)]);
  await settled();
}
// What a reader sees of the element of this id: "" if its top is in view and nothing covers it.
function unseen(id) {
  const element = page().document.getElementById(id);
  if (!element) return "is not there";
  const box = element.getBoundingClientRect();
  if (!box.height) return "is not drawn";
  const found = page().document.elementFromPoint(box.left + 3, box.top + 3);
  if (found && element.contains(found)) return "";
  return `stands at ${Math.round(box.top)} of ${page().innerHeight}` + (found ? ", covered" : "");
}
const AsyncFunction = (async () => {}).constructor;
(async () => {
  for (;;) {
    const script = await (await fetch("/next")).text();
    let told;
    try { told = await new AsyncFunction(script)(); } catch (error) { told = {error: String(error.stack || error)}; }
    await fetch("/", {method: "POST", body: JSON.stringify(told === undefined ? null : told)});
  }
})();
</script>"""


class Browser:
    """A Chromium that shows the pages of one folder."""

    def __init__(self) -> None:
        self.scripts: queue.Queue[str] = queue.Queue()
        self.told: queue.Queue[Any] = queue.Queue()

    def run(self, script: str, seconds: float = 120) -> Any:
        """Run the body of an async function, and return what it returns."""
        self.scripts.put(script)
        return self.told.get(timeout=seconds)


class _Handler(http.server.SimpleHTTPRequestHandler):
    def __init__(self, browser: Browser, *arguments: Any, **options: Any) -> None:
        self.browser = browser
        super().__init__(*arguments, **options)

    def do_GET(self) -> None:
        if self.path not in ("/next", "/drive.html"):
            super().do_GET()
            return
        answer = self.browser.scripts.get() if self.path == "/next" else DRIVER
        data = answer.encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def do_POST(self) -> None:
        self.browser.told.put(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self.send_response(204)
        self.end_headers()

    def log_message(self, format: str, *arguments: Any) -> None:
        """Nothing."""


@contextmanager
def open_browser(folder: Path, profile: Path) -> Iterator[Browser]:
    """Serve a folder, and show a page beside it in Chromium that waits for scripts."""
    assert CHROMIUM
    browser = Browser()
    handler = partial(_Handler, browser, directory=folder)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    server.block_on_close = False
    threading.Thread(target=server.serve_forever, daemon=True).start()
    command = [
        CHROMIUM, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
        "--disable-dev-shm-usage", "--window-size=1600,1000", f"--user-data-dir={profile}",
        "--remote-debugging-port=0", f"http://127.0.0.1:{server.server_port}/drive.html",
    ]  # fmt: skip
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield browser
    finally:
        process.terminate()
        process.wait()
        server.shutdown()
        server.server_close()
