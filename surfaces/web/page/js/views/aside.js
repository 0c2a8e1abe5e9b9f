/** Beside the cards: the repositories with what Pulse sees in each, and recent work. */

import { h, replace, setText } from "../dom.js";
import { age, clock, fullTime } from "../format.js";
import { deckOf, phaseOf } from "../state.js";
import { t } from "../words.js";
import { fateOf } from "./history-model.js";
import { titleOf, worded } from "./wordings.js";

/** @typedef {import("../state.js").Model} Model */
/** @typedef {{id: string, title: string, state: string, at: string, cardId: string | null}} Recent without a card it is a task of the person's own */

const RECENT_MAX = 8;

/** @returns {{root: HTMLElement, update: (model: Model) => void}} */
export function repositoriesPanel() {
  const list = h("ul", { class: "repositories" });
  const root = h(
    "section",
    { class: "panel", hidden: true, aria: { labelledby: "repositories-title" } },
    h("h2", { id: "repositories-title" }, t("repositories.title")),
    list,
  );
  /** @type {HTMLElement[]} */
  let inGit = [];
  /** @type {HTMLElement[]} */
  let without = [];
  const draw = () => {
    root.hidden = inGit.length + without.length === 0;
    replace(list, ...inGit, ...without);
  };
  const places = whenChanged(
    (model) => JSON.stringify([model.repositories, model.folders, deckOf(model, Date.now()).length]),
    (text) => {
      const [repositories, folders, open] = JSON.parse(text);
      inGit = repositories.map((/** @type {import("../types").RepositoryView} */ one) => row(atMost(one, open), one.branch, seenIn(one, Date.now())));
      without = folders.map((/** @type {import("../types").FolderView} */ one) => row(atMost(one, open), null, [t("repositories.no-git")]));
      draw();
    },
  );
  return { root, update: places };
}

/** What waits in a place is read a moment after an answer; until then no more waits than there are open cards. @param {{name: string, waiting: number}} place @param {number} open */
const atMost = ({ name, waiting }, open) => ({ name, waiting: Math.min(waiting, open) });

/** @param {{name: string, waiting: number}} place @param {string | null} branch @param {string[]} facts */
function row({ name, waiting }, branch, facts) {
  return h(
    "li",
    { class: "repository" },
    h(
      "p",
      { class: "row wrap" },
      h("bdi", { class: "name" }, name),
      branch && h("bdi", { class: "branch" }, branch),
      waiting > 0 && h("span", { class: "badge accent" }, t("repositories.waiting", { count: waiting })),
    ),
    h("p", { class: "facts dotted" }, facts.map((one) => h("span", null, one))),
  );
}

/**
 * What is to be said of a repository, the most telling first.
 * @param {import("../types").RepositoryView} repository
 * @param {number} now ms
 * @returns {string[]}
 */
export function seenIn({ changedFiles, changedModules, unpushed, lastTestRunAt, lastTestRunPassed, ci }, now) {
  const at = lastTestRunAt ? clock(lastTestRunAt, now) : "";
  return [
    changedFiles ? t("repositories.changed", { count: changedFiles }) : t("repositories.clean"),
    unpushed ? t("repositories.unpushed", { count: unpushed }) : "",
    ...(at ? [t(lastTestRunPassed ? "repositories.passed" : "repositories.failed", { at })] : []),
    changedModules && at ? t("repositories.untested", { count: changedModules }) : "",
    ci === "unknown" ? "" : t(`repositories.ci-${ci}`),
  ].filter(Boolean);
}

/** @returns {{root: HTMLElement, update: (model: Model) => void}} */
export function recentPanel() {
  const list = h("ul", { class: "recent" });
  const root = h(
    "section",
    { class: "panel", aria: { labelledby: "recent-title" } },
    h("h2", { id: "recent-title" }, t("recent.title"), h("a", { href: "#/activity" }, t("recent.all"))),
    list,
  );
  const draw = whenChanged(
    (model) => JSON.stringify(recentOf(model, Date.now())),
    (text) => {
      const recent = JSON.parse(text);
      root.hidden = recent.length === 0;
      replace(list, ...recent.map(recentRow));
    },
  );
  /** @param {Model} model */
  function update(model) {
    draw(model);
    for (const time of list.querySelectorAll("time")) setText(time, age(time.dateTime, Date.now()));
  }
  return { root, update };
}

/**
 * Tasks and settled cards, latest first; a task that stands for a card is shown once. What the checks did not let
 * through is nobody's work: the history has it.
 * @param {Model} model
 * @param {number} now ms
 * @returns {Recent[]}
 */
export function recentOf(model, now) {
  const tasks = model.tasks.map((task) => ({
    id: task.id,
    title: worded(task.titleWorded, task.title),
    state: task.status,
    at: task.updatedAt,
    cardId: task.predictionId,
  }));
  const known = new Set(tasks.map((task) => task.cardId));
  const cards = Object.values(model.cards)
    .filter(({ prediction }) => prediction.status !== "pending" && prediction.statusReason !== "blocked")
    .filter((card) => phaseOf(card, now) === "past" && !known.has(card.prediction.id))
    .map(({ prediction }) => ({
      id: prediction.id,
      title: titleOf(prediction),
      state: fateOf(prediction, now),
      at: endedAt(prediction),
      cardId: prediction.id,
    }));
  return [...tasks, ...cards].sort((one, other) => Date.parse(other.at) - Date.parse(one.at)).slice(0, RECENT_MAX);
}

/**
 * When a card came to what it is: the answer, or the end of its time; of others it is only known when they were asked.
 * @param {import("../types").Prediction} prediction
 * @returns {string}
 */
export function endedAt({ settled, status, statusReason, expiresAt, createdAt }) {
  if (settled) return settled.at;
  return status === "expired" && statusReason !== "passed" ? expiresAt : createdAt;
}

/** @param {Recent} one */
function recentRow({ id, title, state, at, cardId }) {
  const words = h("span", { class: "grow title", dir: "auto" }, title);
  const inside = [
    h("span", { class: "mark", dataset: { state }, aria: { hidden: true } }),
    words,
    h(
      "span",
      { class: "facts" },
      t(`status.${state}`),
      " · ",
      h("time", { datetime: at, title: fullTime(at) }, age(at, Date.now())),
    ),
  ];
  const open = () => void (cardId ? details(cardId) : taskOf(id));
  return h("li", null, h("button", { type: "button", class: "bare row", on: { click: open } }, inside));
}

/** @param {string} id */
async function details(id) {
  (await import("./details.js")).openDetails(id);
}

/** @param {string} id */
async function taskOf(id) {
  (await import("./task.js")).openTask(id);
}

/**
 * @template T
 * @param {(model: Model) => T} pick
 * @param {(part: T) => void} draw called only when what is picked is another
 * @returns {(model: Model) => void}
 */
function whenChanged(pick, draw) {
  /** @type {T | undefined} */
  let before;
  return (model) => {
    const part = pick(model);
    if (part === before) return;
    before = part;
    draw(part);
  };
}
