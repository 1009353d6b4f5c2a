"""A headless Chromium, spoken to over a pair of pipes (Chrome DevTools Protocol)."""

import base64
import fcntl
import json
import os
import shutil
import signal
import subprocess
import tempfile

import pytest
from launching import PATIENCE


def program():
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if not found:
        pytest.skip("NOT TESTED: the page in a browser: there is no chromium on PATH (jobs/packages-tests.txt)")
    return found


class Browser:
    """One page of it. Ends with the `with`."""

    def __init__(self):
        self.profile = tempfile.TemporaryDirectory()
        to_browser, self.write_end = os.pipe()
        self.read_end, from_browser = os.pipe()

        def take_pipes():
            # It reads from descriptor 3 and writes to 4, which the pipes themselves may be.
            pipes = [fcntl.fcntl(pipe, fcntl.F_DUPFD, 10) for pipe in (to_browser, from_browser)]
            for number, pipe in enumerate(pipes, 3):
                os.dup2(pipe, number)

        self.process = subprocess.Popen(
            [program(), "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
             "--disable-extensions", "--disable-background-networking", "--hide-scrollbars", "--remote-debugging-pipe",
             f"--user-data-dir={self.profile.name}", "about:blank"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, pass_fds=(3, 4), preexec_fn=take_pipes, start_new_session=True)
        os.close(to_browser)
        os.close(from_browser)
        self.number, self.rest, self.events, self.session = 0, b"", [], None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for part in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{part}.enable")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.close(self.write_end)
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait(timeout=PATIENCE)
        os.close(self.read_end)
        self.profile.cleanup()

    def receive(self):
        while b"\0" not in self.rest:
            part = os.read(self.read_end, 1 << 20)
            assert part, "the browser has ended"
            self.rest += part
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.write_end, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") == self.number:
                assert "error" not in answer, answer
                return answer["result"]
            self.events.append(answer)

    def wait_for_event(self, method):
        while not any(event.get("method") == method for event in self.events):
            self.events.append(self.receive())

    def open(self, path):
        self.events.clear()
        self.call("Page.navigate", url=path.as_uri())
        self.wait_for_event("Page.loadEventFired")

    def show(self, width, scheme, height=900):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def value(self, expression):
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def press(self, key):
        code = {"Tab": 9, "Enter": 13, " ": 32}.get(key, ord(key[0].upper()))
        text = {"Enter": "\r", "Tab": ""}.get(key, key)
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, windowsVirtualKeyCode=code, text=text)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=code)

    def screenshot(self, path, whole=True):
        taken = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        path.write_bytes(base64.b64decode(taken["data"]))

    def complaints(self):
        """What the console was told that is no mere remark, and every request but that for the page itself."""
        found = []
        for event in self.events:
            parameters = event.get("params", {})
            if event.get("method") == "Runtime.exceptionThrown":
                found.append(parameters["exceptionDetails"])
            if event.get("method") == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "warning", "assert"):
                found.append(parameters)
            if event.get("method") == "Log.entryAdded" and parameters["entry"]["level"] in ("error", "warning"):
                found.append(parameters["entry"])
            if event.get("method") == "Network.requestWillBeSent" and parameters.get("type") != "Document":
                found.append(parameters["request"]["url"])
        return found
