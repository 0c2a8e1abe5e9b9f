/** Pulse as an app: the offer to install it, how to do so on an iPhone, and the number on its icon. */

import { h, need } from "../dom.js";
import { state } from "../state.js";
import { waitingCount } from "../together.js";
import { t } from "../words.js";

const DECLINED_AS = "pulse.install-declined";

/** @type {any} the browser's own offer, which may be shown once */
let offer = null;
let shownCount = -1;

/** Offer to install, where that is possible and was not declined, and keep the number on the icon right. */
export function start() {
  state.watch(showCount);
  showCount();
  if (isInstalled() || localStorage.getItem(DECLINED_AS)) return;
  addEventListener("appinstalled", () => document.querySelector(".install")?.remove());
  addEventListener("beforeinstallprompt", (event) => {
    event.preventDefault(); // ours says what it is good for
    offer = event;
    showOffer(t("install.offer"), h("button", { type: "button", class: "small main", on: { click: install } }, t("install.button")));
  });
  if (isIos()) showOffer(t("install.ios"), null);
}

/** @returns {boolean} whether this is the installed app */
export function isInstalled() {
  return matchMedia("(display-mode: standalone)").matches || /** @type {any} */ (navigator).standalone === true;
}

function isIos() {
  return /iPhone|iPad/.test(navigator.userAgent) || (navigator.platform === "MacIntel" && navigator.maxTouchPoints > 1);
}

/** @param {string} words @param {HTMLElement | null} button */
function showOffer(words, button) {
  if (document.querySelector(".install")) return;
  const later = h("button", { type: "button", class: "small", on: { click: decline } }, t("install.later"));
  need("#view").after(h("div", { class: "banner install", role: "status" }, h("p", { class: "grow" }, words), button, later));
}

async function install() {
  document.querySelector(".install")?.remove();
  await offer?.prompt();
  offer = null;
}

function decline() {
  localStorage.setItem(DECLINED_AS, "yes");
  document.querySelector(".install")?.remove();
}

function showCount() {
  const count = waitingCount(state.get(), Date.now());
  if (count === shownCount) return;
  shownCount = count;
  const device = /** @type {any} */ (navigator);
  void (count ? device.setAppBadge?.(count) : device.clearAppBadge?.())?.catch(() => {}); // only installed apps have one
}
