// What pages have beyond HTML: live lists, buttons to copy, and questions before something is removed.
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

function copies(button) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(button.parentElement.querySelector("code").textContent);
    button.textContent = "Copied";
  });
}

for (const list of document.querySelectorAll("[data-live]")) live(list);
if (navigator.clipboard) for (const button of document.querySelectorAll("[data-copy]")) copies(button);
for (const button of document.querySelectorAll("[data-confirm]")) {
  button.addEventListener("click", (event) => {
    if (!confirm(button.dataset.confirm)) event.preventDefault();
  });
}
