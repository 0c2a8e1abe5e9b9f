/** What is around every view: the state light, the way to the other views, the kill switch, and the banners. */

import { h, icon, isLetterMeant, need, replace, setText } from "../dom.js";
import { age } from "../format.js";
import { state } from "../state.js";
import { t } from "../words.js";
import { spirit } from "./spirit.js";

const VIEWS = ["mission", "history", "insight", "controls"];
const TICK_MS = 1_000;

let isDrawn = false;

/** Draw the shell once; the view that the address names goes into `#view`. */
export function drawShell() {
  if (isDrawn && document.getElementById("view")) return;
  isDrawn = true;
  const banner = h("div", { class: "banners" });
  replace(
    need("#app"),
    h("a", { class: "skip button", href: "#view", on: { click: toView } }, t("shell.skip")),
    h("header", { class: "top" }, spirit(), navigation("nav-top"), killSwitch()),
    banner,
    h("main", { id: "view", tabindex: "-1" }),
    navigation("nav-bottom"),
    h("section", { id: "toasts", aria: { label: t("shell.told") } }),
  );
  const draw = () => drawBanners(banner);
  state.watch(draw);
  addEventListener("pulse:view", markView);
  document.addEventListener("keydown", onKey);
  setInterval(() => document.visibilityState === "visible" && dispatchEvent(new Event("pulse:tick")), TICK_MS);
  addEventListener("pulse:tick", draw);
  addEventListener("pulse:signed-out", () => void signOut());
  draw();
}

/** @param {string} kind */
function navigation(kind) {
  const links = VIEWS.map((name) =>
    h(
      "a",
      { href: name === "mission" ? "#/" : `#/${name}`, dataset: { view: name } },
      icon(name),
      h("span", null, t(`nav.${name}`)),
    ),
  );
  return h("nav", { class: kind, aria: { label: t("nav.label") } }, links);
}

function markView() {
  const here = document.body.dataset.view ?? "mission";
  for (const link of document.querySelectorAll("nav a[data-view]")) {
    const isHere = link instanceof HTMLElement && link.dataset.view === here;
    if (isHere) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  document.title = here === "mission" ? t("shell.title") : `${t(`nav.${here}`)} · ${t("shell.title")}`;
}

/** @param {Event} event following the link would change the address, and so the view */
function toView(event) {
  event.preventDefault();
  need("#view").focus();
}

function killSwitch() {
  const button = h(
    "button",
    { class: "kill", type: "button", aria: { label: t("kill.open") }, on: { click: openKill } },
    icon("stop"),
    h("span", null, t("kill.button")),
  );
  return button;
}

async function openKill() {
  const { openKillSwitch } = await import("./kill.js");
  openKillSwitch();
}

/** @param {HTMLElement} root */
function drawBanners(root) {
  const { link, status, knownAt } = state.get();
  const isOff = status !== null && !status.enabled;
  const wanted = [link === "lost" ? "lost" : "", isOff ? "off" : ""].filter(Boolean).join(" ");
  document.body.classList.toggle("stale", link === "lost");
  if (root.dataset.shown !== wanted) {
    root.dataset.shown = wanted;
    replace(root, link === "lost" ? lostBanner() : null, isOff ? offBanner() : null);
  }
  const since = root.querySelector(".since");
  if (since) setText(since, knownAt ? t("shell.lost.since", { age: age(knownAt, Date.now()) }) : "");
  const why = root.querySelector(".why");
  if (why && status) setText(why, status.reason);
}

function lostBanner() {
  return h(
    "div",
    { class: "banner lost", role: "status" },
    icon("away"),
    h("p", { class: "grow" }, h("strong", null, t("shell.lost")), " ", h("span", { class: "since" })),
  );
}

function offBanner() {
  return h(
    "div",
    { class: "banner off", role: "status" },
    icon("stop"),
    h("p", { class: "grow" }, h("strong", null, t("shell.off")), " ", h("span", { class: "why" })),
    h("button", { type: "button", class: "small", on: { click: openKill } }, t("shell.off.resume")),
  );
}

/** @param {KeyboardEvent} event */
async function onKey(event) {
  const isTyping =
    event.target instanceof HTMLElement && event.target.matches("input, textarea, select, [contenteditable]");
  if (event.key !== "?" || isTyping || !isLetterMeant(event) || document.querySelector("dialog[open]")) return;
  event.preventDefault();
  (await import("./keys.js")).openKeys();
}

async function signOut() {
  (await import("../snapshot.js")).forget();
  location.replace("/");
}
