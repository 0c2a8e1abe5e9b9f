/** Sessions: what agents and scripts work on, what waits to be checked, what needs somebody; and a day as a timeline. */

import { get } from "../api.js";
import { h, replace } from "../dom.js";
import { state } from "../state.js";
import { t } from "../words.js";
import { DayPanel } from "./sessions-day.js";
import { SessionRow } from "./sessions-row.js";
import { GROUPS, firstLines, grouped } from "./sessions-model.js";
import { partHead } from "./part-head.js";
import { needStyles } from "./styles.js";
import { troubleNote } from "./trouble-note.js";

/** @typedef {import("../types").WorldSessionView} WorldSessionView */

const CALM_MS = 400;
const AGAIN_MS = 60_000;
const SHOWN_MAX = 200;

await needStyles("views.css", "insight.css", "permission.css", "sessions.css");

/**
 * @param {HTMLElement} root
 * @param {string} id of the session to go to, or ""
 * @returns {() => void}
 */
export function mount(root, id) {
  const list = new SessionList();
  const day = new DayPanel();
  const body = h("div", { class: "sessions-body", aria: { busy: true } }, list.node);
  const trouble = h("div", null);
  const section = h("section", { class: "sessions is-coming" }, partHead(t("sessions.title")), trouble, body, day.node);
  root.append(section);
  let wanted = id;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let planned;
  let isGone = false;
  let asked = 0;

  async function load() {
    const turn = ++asked;
    clearTimeout(planned);
    planned = undefined;
    try {
      const { sessions, more } = await get(`/world/sessions?limit=${SHOWN_MAX}`);
      if (isGone || turn !== asked) return;
      await list.show(sessions, more);
      replace(trouble);
      goToWanted();
    } catch (error) {
      if (!isGone && turn === asked) replace(trouble, troubleNote(error, () => void load()));
    }
    body.removeAttribute("aria-busy");
    planned ??= setTimeout(again, AGAIN_MS);
  }
  /** What is hidden until all of it is there cannot take the focus. */
  function goToWanted() {
    if (wanted && !section.classList.contains("is-coming") && list.goTo(wanted)) wanted = "";
  }
  const again = () => {
    void load();
    day.again();
  };
  const soon = () => {
    clearTimeout(planned);
    planned = setTimeout(again, CALM_MS);
  };
  let world = JSON.stringify(state.get().status?.world ?? null);
  const unwatch = state.watch(({ status, cards }) => {
    list.update(cards);
    const now = JSON.stringify(status?.world ?? null);
    if (now !== world) soon();
    world = now;
  });
  const tick = () => list.tick();
  addEventListener("pulse:tick", tick);
  void Promise.all([load(), day.load()]).then(() => {
    section.classList.remove("is-coming");
    goToWanted();
  });
  return () => {
    isGone = true;
    clearTimeout(planned);
    day.end();
    unwatch();
    removeEventListener("pulse:tick", tick);
  };
}

class SessionList {
  constructor() {
    this.node = h("div", { class: "sessions-groups" });
    this.empty = h("div", { class: "panel stack sessions-empty" });
    this.more = h("p", { class: "facts", hidden: true });
    /** @type {Map<string, SessionRow>} */
    this.rows = new Map();
    this.groups = GROUPS.map((name) => {
      const id = `sessions-${name}`;
      const rows = h("ol", { class: "session-rows" });
      const count = h("span", { class: "badge" });
      return { name, rows, count, node: h("section", { class: "panel", hidden: true, aria: { labelledby: id } }, h("h2", { id }, t(`sessions.group-${name}`), " ", count), rows) };
    });
  }

  /** @param {WorldSessionView[]} sessions @param {number} more */
  async show(sessions, more) {
    const found = grouped(sessions);
    const shown = new Set(GROUPS.flatMap((name) => found[name].map(({ id }) => id)));
    for (const [id, row] of this.rows) {
      if (shown.has(id)) continue;
      row.node.remove();
      this.rows.delete(id);
    }
    for (const { name, rows, count, node } of this.groups) {
      node.hidden = found[name].length === 0;
      count.textContent = String(found[name].length);
      found[name].forEach((session, index) => {
        const row = this.rows.get(session.id) ?? new SessionRow(session);
        this.rows.set(session.id, row);
        row.show(session, state.get().cards);
        if (rows.children[index] !== row.node) rows.insertBefore(row.node, rows.children[index] ?? null); // what is open in it stays so
      });
    }
    this.more.hidden = more === 0;
    this.more.textContent = t("sessions.more", { count: more });
    if (shown.size > 0) return void replace(this.node, ...this.groups.map(({ node }) => node), this.more);
    if (!this.empty.isConnected) replace(this.node, await this.#begin());
  }

  /** How to begin, while there is nothing. */
  async #begin() {
    const { path } = await get("/world/path").catch(() => ({ path: "~/.pulse/world.log" }));
    return replace(this.empty, h("p", null, t("sessions.empty")), h("p", null, t("sessions.begin")), h("pre", { class: "mono", tabindex: 0, role: "group", aria: { label: t("sessions.begin") }, dir: "ltr" }, firstLines(path).join("\n")), h("p", { class: "facts" }, t("sessions.begin-then")));
  }

  /** @param {Record<string, import("../state.js").Card>} cards */
  update(cards) {
    this.rows.forEach((row) => row.ask(cards));
  }

  tick() {
    this.rows.forEach((row) => row.tick());
  }

  /** @param {string} id @returns {boolean} whether it is there */
  goTo(id) {
    const row = this.rows.get(id);
    row?.node.scrollIntoView({ block: "center" });
    row?.node.focus({ preventScroll: true });
    return row !== undefined;
  }
}
