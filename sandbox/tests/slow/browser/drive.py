"""Uses the console as a person does: with a browser, its keyboard, and nothing else."""

import json
import os
import sys

from webdriver import Browser

KINDS = [
    "connectionCompleted",
    "refreshCompleted",
    "syncCompleted",
    "customersDeleted",
    "singlePaymentStatusUpdated",
    "standingOrderStatusUpdated",
    "scheduledPaymentStatusUpdated",
    "ingestionSucceeded",
]
SECTIONS = ["", "/start", "/calls", "/errors", "/deliveries", "/events", "/events/refreshCompleted", "/subscriptions",
            "/credentials", "/customers", "/tasks", "/faults", "/clock", "/report", "/settings"]
ROWS = "[...document.querySelectorAll('[data-live-rows] tr')]"


# The innermost elements that reach beyond a width, outside of what scrolls by itself.
WIDE = """(width) => [...document.querySelectorAll('body *')]
    .filter((of) => of.getBoundingClientRect().right > width && !of.closest('.scroll'))
    .filter((of, _, all) => !all.some((other) => other !== of && of.contains(other)))
    .slice(0, 5).map((of) => of.outerHTML.slice(0, 200)).join('; ')"""


class Walk:
    def __init__(self, base, password, axe, screenshots):
        self.base, self.password, self.screenshots = base, password, screenshots
        with open(axe, encoding="utf-8") as source:
            self.axe = source.read()
        self.browser = Browser()
        self.checked = 0

    def heading(self, text):
        heading = self.browser.wait("document.querySelector('h1')?.textContent")
        assert heading == text, f"{heading!r} is not {text!r} at {self.browser.url()}"

    def notice(self, part):
        text = self.browser.wait("document.querySelector('.notice')?.textContent")
        assert part in text, f"{part!r} is not in {text!r}"

    def fits(self, name):
        """No page is wider than the window, so that nobody has to scroll sideways."""
        for width in (320, 400, 768):
            size = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": False}
            self.browser.cdp("Emulation.setDeviceMetricsOverride", **size)
            page = self.browser.run("return document.documentElement.scrollWidth")
            if page > width:
                wide = self.browser.run(f"return ({WIDE})({width})")
                raise AssertionError(f"{name} is {page} pixels wide in a window of {width}: {wide}")
        self.browser.cdp("Emulation.clearDeviceMetricsOverride")

    def check(self, name):
        """Looks for violations of accessibility in both colour schemes, and keeps a picture of each."""
        self.fits(name)
        for scheme in ("light", "dark"):
            features = [{"name": "prefers-color-scheme", "value": scheme}]
            self.browser.cdp("Emulation.setEmulatedMedia", features=features)
            self.browser.run(self.axe)
            found = self.browser.run_async(
                "const done = arguments[0]; axe.run({ resultTypes: ['violations'] }).then((result) => done("
                "result.violations.map((of) => ({ id: of.id, impact: of.impact, nodes: of.nodes.map((node) => node.html) }))))"
            )
            serious = [of for of in found if of["impact"] in ("serious", "critical")]
            assert not serious, f"{name}, {scheme}: {json.dumps(serious, indent=1)}"
            self.checked += 1
            self.browser.screenshot(os.path.join(self.screenshots, f"{name}-{scheme}.png"))
        self.browser.cdp("Emulation.setEmulatedMedia", features=[])

    def quiet(self, known=()):
        """The browser's console is empty, but for what a step causes on purpose."""
        messages = [of for of in self.browser.messages() if not any(part in of["message"] for part in known)]
        assert not messages, messages

    def sign_in(self):
        self.browser.open(self.base + "/")
        self.heading("Sign in")
        self.check("sign-in")
        self.browser.fill("Password", "wrong")
        self.browser.press("Sign in")
        self.notice("The password is wrong.")
        self.quiet(known=["401 (Unauthorized)"])
        self.browser.fill("Password", self.password)
        self.browser.press("Sign in")
        self.heading("Projects")
        self.check("projects")

    def keyboard(self):
        """The first key leads to the link that skips the navigation, and the link to the content."""
        self.browser.open(self.base + "/projects")
        self.browser.keys("Tab")
        assert self.browser.run("return document.activeElement.className") == "skip"
        self.browser.keys("Enter")
        assert self.browser.run("return document.activeElement.id") == "content"
        self.browser.keys("Tab")
        assert self.browser.run("return document.activeElement.closest('main') !== null")

    def create_project(self):
        self.browser.fill("Name", "Browser")
        self.browser.press("Create the project")
        self.heading("Project Browser")
        self.check("secrets")
        self.browser.leave()
        self.browser.click("main p a.button")
        self.heading("First steps")
        self.project = self.browser.url().rsplit("/", 1)[0]

    def first_steps(self):
        self.browser.press("Make a new secret and show the command")
        self.notice("The secret is shown once.")
        self.browser.press("Subscribe the built-in receiver")
        self.notice("The built-in receiver is subscribed.")
        self.browser.press("Trigger a test event")
        self.notice("The event was sent.")
        self.browser.wait(f"{ROWS}.length === 1")
        self.check("first-steps")

    def subscribe(self):
        self.browser.open(self.project + "/subscriptions")
        self.heading("Subscriptions")
        self.browser.fill("Signing token", "a signing token of more than 32 characters")
        self.browser.fill("Additional headers", "X-Test: browser")
        self.browser.press("Subscribe")
        self.notice("The subscription was created.")
        assert self.browser.run("return document.querySelectorAll('main tbody tr').length") == 2

    def trigger_each(self):
        """Attempts appear in one window while events are triggered in another."""
        self.browser.open(self.project + "/deliveries")
        self.heading("Deliveries")
        self.browser.wait("document.querySelector('[data-live-status]').textContent === 'Live'")
        before = self.browser.run(f"return {ROWS}.length")
        watching, acting = self.browser.window(), self.browser.new_window()
        for number, kind in enumerate(KINDS, 1):
            self.browser.switch(acting)
            self.browser.open(f"{self.project}/events/{kind}")
            self.heading(kind)
            self.browser.press("Send the event")
            self.notice("The event was sent")
            self.browser.switch(watching)
            # Two subscriptions receive each event.
            self.browser.wait(f"{ROWS}.length === {before + 2 * number}")
            newest = self.browser.run(f"return {ROWS}[0].textContent")
            assert kind in newest and "200" in newest, newest
        self.check("deliveries-live")
        self.quiet()
        self.browser.switch(acting)
        self.browser.send("DELETE", "/window")
        self.browser.switch(watching)

    def replay(self):
        self.browser.open(self.project + "/deliveries")
        self.browser.leave()
        self.browser.click("main td.actions button")
        self.notice("The message is sent again.")
        replay = self.browser.text("h1")
        assert replay.startswith("Delivery "), replay
        self.browser.open(self.project + "/deliveries")
        self.browser.wait(f"{ROWS}.some((row) => row.textContent.includes({json.dumps(replay.split()[1])}))")

    def inspect(self):
        """A call of the API appears live, with the check that rejected it."""
        self.browser.open(self.project + "/calls")
        self.heading("Calls")
        self.browser.wait("document.querySelector('[data-live-status]').textContent === 'Live'")
        watching, acting = self.browser.window(), self.browser.new_window()
        self.browser.switch(acting)
        self.browser.open(self.project + "/start")
        self.browser.press("Make a new secret and show the command")
        self.notice("The secret is shown once.")
        command = self.browser.text("main pre code").split()
        basic, url = command[command.index("-u") + 1], command[-1]
        self.call(url, basic)
        # Only who knows the secret writes into the project's log.
        self.call(url, basic.split(":")[0] + ":wrong")
        self.call(url, basic, b"grant_type=unknown")
        self.browser.send("DELETE", "/window")
        self.browser.switch(watching)
        self.browser.wait(f"{ROWS}.length === 2")
        rejected = self.browser.run(f"return {ROWS}[0].textContent")
        assert "400" in rejected, rejected
        self.browser.leave()
        self.browser.click("[data-live-rows] tr a")
        self.heading("POST /v1/oauth/token")
        assert "curl" in self.browser.text("main .code code")
        self.check("call")

    @staticmethod
    def call(url, basic, form=b"grant_type=client_credentials"):
        import base64
        import urllib.error
        import urllib.request

        authorization = "Basic " + base64.b64encode(basic.encode()).decode()
        request = urllib.request.Request(url, form, {"Authorization": authorization})
        try:
            urllib.request.urlopen(request).read()
        except urllib.error.HTTPError as error:
            error.read()

    def report(self):
        self.browser.open(self.project + "/report")
        self.heading("Report")
        self.browser.press("Send the probe")
        self.notice("webhooks were sent.")
        verdicts = self.browser.run("return [...document.querySelectorAll('.finding .badge')].map((of) => of.textContent)")
        assert len(verdicts) >= 9 and set(verdicts) <= {"ok", "violated", "not-shown"}, verdicts
        # The built-in receiver accepts every signature, which does not show whether it verifies them.
        verified = self.browser.run(
            "return [...document.querySelectorAll('.finding')]"
            ".filter((of) => of.textContent.includes('verifies the signatures'))"
            ".map((of) => of.querySelector('.badge').textContent)"
        )
        assert verified == ["not-shown"] and "ok" in verdicts, (verified, verdicts)

    def questions(self):
        """What removes something asks before."""
        self.browser.open(self.project + "/settings")
        self.heading("Settings")
        self.browser.press("Reset the project to its seed")
        assert "begin anew" in self.browser.accept()
        self.heading("Reset")
        self.check("reset")

    def without_javascript(self):
        self.browser.cdp("Emulation.setScriptExecutionDisabled", value=True)
        self.browser.open(self.project + "/clock")
        self.browser.press("Freeze the clock")
        self.browser.shows("The clock is frozen.")
        self.browser.press("Move forward")
        self.browser.shows("The clock has moved.")
        self.browser.cdp("Emulation.setScriptExecutionDisabled", value=False)

    def every_page(self):
        for section in SECTIONS:
            self.browser.open(self.project + section)
            self.browser.wait("true")
            self.check("project" + section.replace("/", "-"))
        for page in ("workbench", "keys", "audit", "calls"):
            self.browser.open(f"{self.base}/{page}")
            self.check(page)
        self.quiet()

    def colours(self):
        """A choice counts more than what the system prefers; it needs no JavaScript, and stays after signing out."""
        dark = "getComputedStyle(document.body).backgroundColor === 'rgb(18, 24, 31)'"
        for system in ("light", "dark"):
            for choice, is_dark in (("Dark", True), ("Light", False), ("As the system", system == "dark")):
                features = [{"name": "prefers-color-scheme", "value": system}]
                self.browser.cdp("Emulation.setEmulatedMedia", features=features)
                self.browser.cdp("Emulation.setScriptExecutionDisabled", value=True)
                self.browser.open(self.project + "/calls?minutes=5")
                self.browser.choose("Colours", choice)
                self.browser.press("Change")
                self.browser.shows("Calls, the newest first")
                self.browser.cdp("Emulation.setScriptExecutionDisabled", value=False)
                assert self.browser.url() == self.project + "/calls?minutes=5", self.browser.url()
                assert self.browser.run(f"return {dark}") == is_dark, (system, choice)
        self.browser.choose("Colours", "Dark")
        self.browser.press("Change")
        self.browser.open(self.project)
        # In both preferences of the system.
        self.check("chosen-dark")
        self.browser.cdp("Emulation.setEmulatedMedia", features=[])

    def times(self):
        """How long ago a call was goes on, with the exact time on hover."""
        self.browser.open(self.project + "/calls")
        first = "document.querySelector('[data-live-rows] time')"
        before = self.browser.wait(f"{first}.textContent")
        title = self.browser.run(f"return {first}.title")
        assert title.endswith(" UTC") and self.browser.run(f"return {first}.dateTime")[:10] == title[:10], title
        self.browser.wait(f"{first}.textContent !== {json.dumps(before)}")
        assert self.browser.run(f"return {first}.textContent").endswith(" ago")

    def sign_out(self):
        self.browser.press("Sign out")
        self.heading("Sign in")
        self.browser.open(self.project)
        self.heading("Sign in")
        self.quiet()

    def walk(self):
        steps = [self.sign_in, self.keyboard, self.create_project, self.first_steps, self.subscribe,
                 self.trigger_each, self.replay, self.inspect, self.times, self.report, self.every_page,
                 self.colours, self.without_javascript, self.questions, self.sign_out]
        try:
            for step in steps:
                print(step.__name__, flush=True)
                step()
                self.quiet()
        except Exception:
            self.browser.screenshot(os.path.join(self.screenshots, "failed.png"))
            raise
        finally:
            self.browser.close()
        print(f"{self.checked} checks of accessibility")


if __name__ == "__main__":
    Walk(*sys.argv[1:]).walk()
