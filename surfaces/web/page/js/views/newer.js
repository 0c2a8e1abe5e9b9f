/**
 * Says when the hub has a newer page than this one, once the service worker has kept that, so that one reload shows it.
 * Nothing is reloaded by itself: what is typed stays.
 */

import { h, need } from "../dom.js";
import { state } from "../state.js";
import { t } from "../words.js";

const LISTING = "/files.json";
const KEEP_MS_MAX = 5_000;
const TYPED = 'textarea, input:not([type]), input[type="text"], input[type="search"], input[type="number"]';

/** The version of the files that this page began with; the service worker writes it into the page that it keeps. */
let own = document.querySelector('meta[name="pulse-files"]')?.getAttribute("content") ?? "";

/** Look now, and whenever the hub was away: only a hub that starts anew has other files. */
export function start() {
  let { link } = state.get();
  state.watch(() => {
    const before = link;
    link = state.get().link;
    if (link !== before && link === "up") void look();
  });
  void look();
}

/** Compare with what the hub has; what comes straight from it is what it has now. */
async function look() {
  const listing = await fetch(LISTING, { cache: "no-store" }).catch(() => null); // away: its return is looked at
  if (!listing?.ok) return;
  const { version } = await listing.json();
  own ||= version;
  if (version !== own) await kept();
  document.querySelector(".newer")?.remove();
  if (version !== own) offer();
}

function offer() {
  const words = h("p", { class: "grow" }, t("newer.text"));
  const button = h("button", { type: "button", class: "small main" }, t("newer.reload"));
  button.addEventListener("click", () => {
    const isWarned = button.dataset.warned === "yes";
    if (isWarned || !isTyped()) return location.reload();
    button.dataset.warned = "yes";
    words.textContent = t("newer.unsent");
    button.textContent = t("newer.anyway");
  });
  need("#view").after(h("div", { class: "banner newer", role: "status" }, words, button));
}

/** Whether something stands in a field that was not there when it was drawn. */
function isTyped() {
  const fields = /** @type {HTMLInputElement[]} */ ([...document.querySelectorAll(TYPED)]);
  return fields.some((field) => field.value !== field.defaultValue);
}

/** Let the service worker keep the new files; where there is none, a reload fetches them from the hub. */
async function kept() {
  const worker = navigator.serviceWorker?.controller;
  if (!worker) return;
  const { port1, port2 } = new MessageChannel();
  const answer = new Promise((done) => {
    port1.onmessage = done;
    setTimeout(done, KEEP_MS_MAX);
  });
  worker.postMessage({ type: "pulse:fill" }, [port2]);
  await answer;
}
