/** One session: its task, what has to be found, where it is, what it said; and while it needs somebody, its question. */

import { h, replace, setText } from "../dom.js";
import { age, fullTime } from "../format.js";
import { phaseOf } from "../state.js";
import { agentTitle, t } from "../words.js";
import { isCardId } from "./activity-model.js";
import { CardView } from "./card.js";
import { groupOf } from "./sessions-model.js";
import { worded } from "./wordings.js";

/** @typedef {import("../types").WorldSessionView} WorldSessionView */
/** @typedef {import("../state.js").Card} Card */

/** @type {Record<string, string>} */
const TONES = { failed: "bad", pending: "warn", active: "accent", left: "", "handed-over": "", verified: "good" };

export class SessionRow {
  /** @param {WorldSessionView} session */
  constructor(session) {
    this.session = session;
    this.badge = h("span", { class: "badge" });
    this.heard = h("time", { class: "facts" });
    this.task = h("p", { class: "session-task", dir: "auto" });
    this.need = h("p", { class: "session-need", dir: "auto" });
    this.said = h("p", { class: "session-said", dir: "auto" });
    this.asks = h("p", { class: "session-asks", dir: "auto" });
    this.facts = h("p", { class: "facts dotted" });
    this.place = h("div", { class: "session-card", hidden: true });
    /** @type {CardView | null} */
    this.card = null;
    const head = h("div", { class: "row wrap between" }, this.badge, this.heard);
    this.node = h("li", { class: "session", tabindex: "-1", dataset: { session: session.id } }, head, this.task, this.need, this.asks, this.said, this.facts, this.place);
  }

  /** @param {WorldSessionView} session @param {Record<string, Card>} cards */
  show(session, cards) {
    this.session = session;
    const group = groupOf(session);
    this.badge.className = `badge ${TONES[group]}`;
    setText(this.badge, t(`sessions.is-${group === "left" || group === "handed-over" ? group : session.status}`));
    setText(this.task, worded(session.taskWorded, session.task) || t("sessions.no-task"));
    line(this.need, session.need && t("sessions.need", { need: worded(session.needWorded, session.need) }));
    line(this.asks, group === "failed" && session.asks && t("sessions.asks", { asks: session.asks }));
    line(this.said, session.said !== session.task && session.said && t("sessions.said", { said: worded(session.saidWorded, session.said) }));
    replace(this.facts, factsOf(session).join(" · "), !isCardId(session.id) && [" · ", h("span", { class: "mono session-id" }, session.id)]);
    this.heard.dateTime = session.heardAt;
    this.heard.title = fullTime(session.heardAt);
    this.tick();
    this.ask(cards);
  }

  /**
   * Show the card that asks about it: the very one that asks in the inbox.
   * @param {Record<string, Card>} cards
   */
  ask(cards) {
    const id = this.session.predictionId;
    const card = id ? cards[id] : undefined;
    const isShown = card !== undefined && ["open", "sending", "settled"].includes(phaseOf(card, Date.now()));
    this.place.hidden = !isShown;
    if (!isShown) return;
    if (this.card?.card.prediction.id !== id) {
      this.card = new CardView(card);
      this.card.root.dataset.depth = "0";
      this.place.replaceChildren(this.card.root);
    }
    this.card?.update(card);
  }

  tick() {
    setText(this.heard, age(this.session.heardAt, Date.now()));
  }
}

/** @param {HTMLElement} node @param {string | false} text */
function line(node, text) {
  node.hidden = !text;
  setText(node, text || "");
}

/** @param {WorldSessionView} session @returns {string[]} */
function factsOf({ agent, retries, proven, checkedBy, status, refused, folder }) {
  return [
    agent && agentTitle(agent),
    retries > 0 && t("sessions.tries", { count: retries + 1 }),
    status === "verified" && checkedBy && t(`sessions.by-${checkedBy}`),
    t(proven ? "sessions.proven" : "sessions.unproven"),
    refused > 0 && t("sessions.refused", { count: refused }),
    folder,
  ].filter((one) => typeof one === "string").filter(Boolean);
}
