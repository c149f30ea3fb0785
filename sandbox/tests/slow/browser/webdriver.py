"""A client of WebDriver (https://www.w3.org/TR/webdriver2/), with the standard library only."""

import base64
import json
import subprocess
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"

# Resolves as soon as a condition holds, and looks after each change of the page.
WAIT = """
const done = arguments[arguments.length - 1];
// A page on which a button was pressed is about to be left.
const holds = () => !window.isLeft && document.readyState === "complete" && (%s);
const look = () => {
  const found = holds();
  if (!found) return false;
  observer.disconnect();
  done(found);
  return true;
};
const observer = new MutationObserver(look);
if (!look()) {
  observer.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
  addEventListener("load", look);
}
"""


class Browser:
    """Chromium, driven by chromedriver."""

    def __init__(self):
        self.driver = subprocess.Popen(
            ["chromedriver", "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        for line in self.driver.stdout:
            if "started successfully on port" in line:
                port = line.rsplit(" ", 1)[1].strip().rstrip(".")
                break
        else:
            raise SystemExit("chromedriver does not start")
        self.base = f"http://127.0.0.1:{port}"
        options = {
            "args": ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--window-size=1280,1000"]
        }
        capabilities = {
            "browserName": "chrome",
            "goog:chromeOptions": options,
            "goog:loggingPrefs": {"browser": "ALL"},
            "timeouts": {"script": 300000, "pageLoad": 300000, "implicit": 0},
        }
        session = self.send("POST", "/session", {"capabilities": {"alwaysMatch": capabilities}})
        self.base += f"/session/{session['sessionId']}"

    def send(self, method, path, body=None):
        data = None if method != "POST" else json.dumps(body or {}).encode()
        request = urllib.request.Request(self.base + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request) as response:
                return json.load(response)["value"]
        except urllib.error.HTTPError as error:
            raise AssertionError(f"{method} {path}: {error.read().decode()}") from None

    def close(self):
        try:
            self.send("DELETE", "")
        finally:
            self.driver.terminate()
            self.driver.wait()

    def open(self, url):
        self.send("POST", "/url", {"url": url})

    def url(self):
        return self.send("GET", "/url")

    def run(self, script, *arguments):
        return self.send("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def run_async(self, script, *arguments):
        return self.send("POST", "/execute/async", {"script": script, "args": list(arguments)})

    def wait(self, condition):
        """Waits until an expression of JavaScript holds, and returns its value."""
        while True:
            try:
                return self.run_async(WAIT % condition)
            except AssertionError as error:
                # The page was left meanwhile, and the script with it.
                if not any(of in str(error) for of in ("script timeout", "document unloaded", "navigation", "context")):
                    raise

    def cdp(self, command, **parameters):
        return self.send("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def find(self, selector):
        return self.send("POST", "/element", {"using": "css selector", "value": selector})[ELEMENT]

    def text(self, selector):
        return self.send("GET", f"/element/{self.find(selector)}/text")

    def click(self, selector):
        self.send("POST", f"/element/{self.find(selector)}/click")

    def press(self, label):
        """Presses the button with this label, which leads to another page."""
        self.leave()
        using = {"using": "xpath", "value": f"//button[normalize-space(.)='{label}']"}
        button = self.send("POST", "/element", using)[ELEMENT]
        self.send("POST", f"/element/{button}/click")

    def leave(self):
        self.run("window.isLeft = true;")

    def shows(self, text):
        """Waits for an element with this text, without JavaScript in the page."""
        self.send("POST", "/timeouts", {"implicit": 300000})
        self.send("POST", "/element", {"using": "xpath", "value": f"//main//*[normalize-space(.)='{text}']"})
        self.send("POST", "/timeouts", {"implicit": 0})

    def fill(self, label, text):
        """Fills the field with this label."""
        field = self.run(
            "const label = [...document.querySelectorAll('label')].find((of) => of.textContent === arguments[0]);"
            "return document.getElementById(label.htmlFor);",
            label,
        )[ELEMENT]
        self.send("POST", f"/element/{field}/clear")
        self.send("POST", f"/element/{field}/value", {"text": text})

    def choose(self, label, option):
        """Chooses an option of the field with this label, without JavaScript in the page."""
        select = f"//select[@id=//label[normalize-space(.)='{label}']/@for]"
        using = {"using": "xpath", "value": f"{select}/option[normalize-space(.)='{option}']"}
        self.send("POST", f"/element/{self.send('POST', '/element', using)[ELEMENT]}/click")

    def keys(self, *names):
        codes = {"Tab": "\ue004", "Enter": "\ue007"}
        actions = [
            {"type": kind, "value": codes.get(name, name)} for name in names for kind in ("keyDown", "keyUp")
        ]
        self.send("POST", "/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": actions}]})

    def accept(self):
        """Accepts a question, and returns its text."""
        text = self.send("GET", "/alert/text")
        self.send("POST", "/alert/accept")
        return text

    def window(self):
        return self.send("GET", "/window")

    def new_window(self):
        return self.send("POST", "/window/new", {"type": "tab"})["handle"]

    def switch(self, handle):
        self.send("POST", "/window", {"handle": handle})

    def messages(self):
        """Returns the messages of the browser's console since the last call."""
        return self.send("POST", "/se/log", {"type": "browser"})

    def screenshot(self, file):
        with open(file, "wb") as out:
            out.write(base64.b64decode(self.send("GET", "/screenshot")))
