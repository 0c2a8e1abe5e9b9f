/** Settings: sections, one at a time, with a search over all of them. On a phone it begins as the list of the sections. */

import { coded } from "./coded.js";
import { announce, h, icon, replace, setText } from "../dom.js";
import { t } from "../words.js";
import { agentsSection } from "./agents-section.js";
import { attentionPanel } from "./controls-attention.js";
import { Desk } from "./controls-desk.js";
import { capsPanel, channelsPanel, thresholdsPanel } from "./controls-limits.js";
import { panel } from "./controls-parts.js";
import { powerPanel } from "./controls-power.js";
import { quietPanel } from "./controls-quiet.js";
import { saidPanel } from "./controls-said.js";
import { devicesPanels } from "./devices.js";
import { addressOf } from "./places-model.js";
import { SECTIONS, isFound, wordsIn } from "./settings-model.js";
import { needStyles } from "./styles.js";
import { troubleNote } from "./trouble-note.js";

/** @typedef {import("./settings-model.js").Section} Section */
/** @typedef {import("./places-model.js").Address} Address */

/** @type {Record<Section, string>} */
const ICONS = { general: "settings", alone: "play", interruptions: "moon", agents: "agent", devices: "device", limits: "trends", work: "list" };

await needStyles("views.css", "controls.css", "settings.css");

/**
 * @param {HTMLElement} root
 * @returns {(() => void) & {stays: (address: Address) => boolean}} ends the view; `stays` goes to a section within it
 */
export function mount(root) {
  const view = new SettingsView();
  root.append(view.root);
  view.goTo(addressOf(location.hash).part);
  const stays = (/** @type {Address} */ { name, part }) => name === "settings" && view.goTo(part, true);
  return Object.assign(() => view.end(), { stays });
}

class SettingsView {
  constructor() {
    this.isGone = false;
    this.part = "";
    /** @type {Desk | null} */
    this.desk = null;
    this.said = { grants: saidPanel("grants"), mutes: saidPanel("mutes") };
    this.places = Object.fromEntries(SECTIONS.map((name) => [name, h("div", { class: "controls-grid" })]));
    this.sections = SECTIONS.map((name) => h("section", { class: "settings-section", dataset: { section: name }, aria: { labelledby: `section-${name}` } }, h("h2", { id: `section-${name}`, tabindex: "-1" }, t(`settings.${name}`)), h("p", { class: "facts" }, t(`settings.${name}-says`)), this.places[name]));
    this.links = SECTIONS.map((name) => h("a", { href: `#/settings/${name}`, dataset: { section: name } }, icon(ICONS[name]), h("span", { class: "grow" }, h("span", { class: "settings-name" }, t(`settings.${name}`)), h("span", { class: "facts" }, t(`settings.${name}-says`))), icon("next")));
    this.none = h("p", { class: "note", role: "status", hidden: true });
    this.search = h("input", { type: "search", placeholder: t("settings.search"), autocomplete: "off", enterkeyhint: "search", aria: { label: t("settings.search") }, on: { input: () => this.find() } });
    this.body = h("div", { class: "settings-body", aria: { busy: true } }, h("a", { class: "settings-back", href: "#/settings" }, icon("back"), t("controls.title")), this.none, this.sections);
    this.root = h(
      "section",
      { class: "settings", dataset: { part: "" } },
      h("header", { class: "settings-side" }, h("h1", null, t("controls.title")), h("div", { role: "search" }, this.search), h("nav", { class: "settings-nav", aria: { label: t("settings.label") } }, this.links), h("p", { class: "facts settings-keeps" }, coded(t("controls.keeps")))),
      this.body,
    );
    const agents = agentsSection();
    replace(this.places.alone, this.said.grants.root);
    replace(this.places.agents, agents.node);
    const devices = devicesPanels(this.places.devices);
    this.ends = [devices, this.said.grants.end, this.said.mutes.end, agents.end];
    void Promise.all([this.load(), devices.ready]).then(() => this.body.removeAttribute("aria-busy"));
  }

  async load() {
    try {
      const desk = await Desk.open();
      if (this.isGone) return desk.close();
      this.desk = desk;
      replace(this.places.general, powerPanel(desk));
      replace(this.places.interruptions, attentionPanel(desk), quietPanel(desk), this.said.mutes.root);
      replace(this.places.limits, capsPanel(desk), thresholdsPanel(desk));
      replace(this.places.work, channelsPanel(desk), panel(t("settings.less"), t("settings.less-says"), h("p", null, h("a", { href: "#/settings/interruptions", on: { click: () => addEventListener("pulse:view", () => this.said.mutes.root.scrollIntoView({ block: "center" }), { once: true }) } }, t("settings.less-open")))), panel(t("settings.drives"), t("settings.drives-says"), h("p", null, h("a", { href: "#/activity/drives" }, t("settings.drives-open")))));
    } catch (error) {
      if (!this.isGone) replace(this.places.general, troubleNote(error, () => void this.load()));
    }
  }

  /** @param {string} part @param {boolean} [isStep] whether the person went there from another section @returns {boolean} */
  goTo(part, isStep = false) {
    this.part = SECTIONS.find((name) => name === part) ?? "";
    this.root.dataset.part = this.part;
    this.search.value = "";
    this.find();
    const shown = this.part || SECTIONS[0];
    for (const link of this.links) {
      if (link.dataset.section === shown) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
    if (isStep) this.sections.find((section) => section.dataset.section === this.part)?.querySelector("h2")?.focus({ preventScroll: true });
    return true;
  }

  /** Show what has the words that are looked for, of all sections; without any, the one section. */
  find() {
    const words = wordsIn(this.search.value);
    const shown = this.part || SECTIONS[0];
    let count = 0;
    for (const section of this.sections) {
      let isAny = false;
      for (const one of section.querySelectorAll(".panel")) {
        const isHere = words.length === 0 || isFound(words, `${section.querySelector("h2")?.textContent} ${t(`settings.${section.dataset.section}-also`)} ${one.textContent}`);
        if (one instanceof HTMLElement) one.hidden = !isHere;
        isAny ||= isHere;
        if (words.length) count += Number(isHere);
      }
      section.hidden = words.length ? !isAny : section.dataset.section !== shown;
    }
    this.root.classList.toggle("searching", words.length > 0);
    this.none.hidden = words.length === 0 || count > 0;
    setText(this.none, this.none.hidden ? "" : t("settings.none", { search: this.search.value.trim() }));
    if (words.length) announce(t("settings.found", { count }));
  }

  end() {
    this.isGone = true;
    this.desk?.close();
    this.ends.forEach((end) => end());
  }
}
