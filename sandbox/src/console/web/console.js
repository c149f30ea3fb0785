// What pages have beyond HTML: live lists, times that go on, buttons to copy, and questions before something is
// removed.
"use strict";

const KEPT = 200;

// Rows of a live list arrive as HTML from this server, which has escaped their texts.
function live(list) {
  const source = list.dataset.live;
  const rows = list.querySelector("[data-live-rows]");
  const status = list.querySelector("[data-live-status]");
  if (!source) return;
  const newest = rows.firstElementChild?.dataset.id ?? "";
  const url = new URL(source, location.href);
  url.searchParams.set("after", newest);
  const events = new EventSource(url);
  let arrived = 0;
  events.onopen = () => { status.textContent = arrived ? `${arrived} new` : "Live"; };
  events.onerror = () => { status.textContent = "The connection was lost. It is made again."; };
  events.onmessage = (event) => {
    const template = document.createElement("template");
    template.innerHTML = event.data;
    const row = template.content.firstElementChild;
    if (rows.querySelector(`[data-id="${CSS.escape(row.dataset.id)}"]`)) return;
    rows.prepend(row);
    while (rows.children.length > KEPT) rows.lastElementChild.remove();
    arrived += 1;
    status.textContent = `${arrived} new`;
  };
  addEventListener("pagehide", () => events.close());
}

// The server has rendered how long ago a time was. The age grows from when it was shown.
const UNITS = [[86400, "day"], [3600, "hour"], [60, "minute"], [1, "second"]];
const shown = new WeakMap();
function age() {
  for (const time of document.querySelectorAll("time[data-age]")) {
    if (!shown.has(time)) shown.set(time, performance.now());
    const seconds = (Number(time.dataset.age) + performance.now() - shown.get(time)) / 1000;
    const unit = UNITS.find(([length]) => Math.abs(seconds) >= length);
    const count = unit && Math.floor(Math.abs(seconds) / unit[0]);
    const words = unit && `${count} ${unit[1]}${count === 1 ? "" : "s"}`;
    time.textContent = !unit ? "now" : seconds < 0 ? `in ${words}` : `${words} ago`;
  }
}

function copies(button) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(button.parentElement.querySelector("code").textContent);
    button.textContent = "Copied";
  });
}

for (const list of document.querySelectorAll("[data-live]")) live(list);
age();
setInterval(age, 1000);
if (navigator.clipboard) for (const button of document.querySelectorAll("[data-copy]")) copies(button);
for (const button of document.querySelectorAll("[data-confirm]")) {
  button.addEventListener("click", (event) => {
    if (!confirm(button.dataset.confirm)) event.preventDefault();
  });
}
