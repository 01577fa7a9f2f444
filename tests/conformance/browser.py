"""Drives a page in a headless Chromium, without any library: the page stands in a frame of a page of
ours, whose script does what a reader would do and sends back what it saw."""

from __future__ import annotations

import http.server
import json
import shutil
import subprocess
import threading
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
// Open the page afresh in a frame of this size.
async function open(width, height, hash = "") {
  if (frame) frame.remove();
  frame = document.createElement("iframe");
  frame.width = width; frame.height = height;
  const loaded = new Promise(done => frame.addEventListener("load", done));
  frame.src = "report.html?" + Math.random() + hash;
  document.body.append(frame);
  await loaded;
  await settled();
}
const page = () => frame.contentWindow;
const within = selector => [...page().document.querySelectorAll(selector)];
// Until nothing has moved for a while.
async function settled() {
  for (let still = 0, last = ""; still < 3;) {
    await pause(30);
    const now = page().scrollY + " " + page().document.body.scrollHeight;
    still = now === last ? still + 1 : 0;
    last = now;
  }
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
async function main() {
SCRIPT
}
main().catch(error => ({error: String(error.stack || error)})).then(told =>
  fetch("/", {method: "POST", body: JSON.stringify(told)}));
</script>"""


def drive(folder: Path, script: str, seconds: float = 120) -> Any:
    """Serve a folder with a report.html, run the script beside it, and return what it returns."""
    (folder / "drive.html").write_text(DRIVER.replace("SCRIPT", script), "utf-8")
    told: list[Any] = []
    done = threading.Event()

    class Handler(http.server.SimpleHTTPRequestHandler):
        def do_POST(self) -> None:
            told.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(204)
            self.end_headers()
            done.set()

        def log_message(self, format: str, *arguments: Any) -> None:
            """Nothing."""

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    assert CHROMIUM
    command = [
        CHROMIUM, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
        "--disable-dev-shm-usage", "--window-size=1600,1000", f"--user-data-dir={folder / 'profile'}",
        "--remote-debugging-port=0", f"http://127.0.0.1:{server.server_port}/drive.html",
    ]  # fmt: skip
    browser = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        assert done.wait(seconds), "the page sent nothing back"
    finally:
        browser.terminate()
        browser.wait()
        server.shutdown()
        server.server_close()
    return told[0]
