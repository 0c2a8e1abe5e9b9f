/** Everything about one card, and another text to run instead. Each part is read when the card is opened. */

import { answer } from "../answers.js";
import { get, wordsOf } from "../api.js";
import { coded } from "./coded.js";
import { h, icon, replace } from "../dom.js";
import { clock, percent, until, usd } from "../format.js";
import { phaseOf, state } from "../state.js";
import { agentTitle, has, t } from "../words.js";
import { openDialog } from "./dialog.js";
import { saidOnce } from "./episode-model.js";
import { numberWords } from "./episode-parts.js";
import { askedOf, badgesOf, isGuess, placeOf, ranOf, resultWords, settledWords } from "./face.js";
import { fateOf } from "./history-model.js";
import { StopNote, isHeld } from "./stopped.js";
import { promptOf, reasoningOf, summaryOf, worded } from "./wordings.js";

/** @typedef {import("../types").Prediction} Prediction */
/** @typedef {import("../types").VerdictView} VerdictView */

const PROMPT_CHARS_MAX = 4_000;
const SIMILAR_MAX = 5;

/**
 * Open the details of a card.
 * @param {string} id
 * @param {boolean} [isEditing] begin in the editor
 */
export async function openDetails(id, isEditing = false) {
  document.querySelector("dialog.details")?.remove();
  const dialog = openDialog(t("details.title"), "sheet details");
  const known = state.get().cards[id]?.prediction;
  try {
    const prediction = known ?? (await get(`/predictions/${encodeURIComponent(id)}`));
    draw(dialog, prediction, isEditing);
  } catch (error) {
    dialog.append(h("p", { class: "note bad" }, coded(wordsOf(error))));
  }
}

/** @param {HTMLDialogElement} dialog @param {Prediction} prediction @param {boolean} isEditing */
function draw(dialog, prediction, isEditing) {
  const rails = h("div", { class: "rails" }, waiting());
  const checked = part("details.rails", rails);
  const similar = h("div", { class: "similar" }, waiting());
  const isOpen = isAnswerable(prediction);
  const parts = [
    h(
      "div",
      { class: "row wrap" },
      h("span", { class: "badge" }, Object.values(placeOf(prediction, state.get().repositories)).filter(Boolean).join(" · ")),
      badgesOf(prediction),
    ),
    h("p", { class: "prompt", dir: "auto" }, ranOf(prediction)),
    prediction.asked ? h("p", { class: "facts", dir: "auto" }, askedOf(prediction)) : null,
    isOpen ? null : h("p", { class: "note" }, settledWords(prediction)),
    prediction.result || prediction.outcome ? part("details.outcome", ...outcomeOf(prediction)) : null,
    planOf(prediction),
    commitOf(prediction),
    prediction.details ? part("details.details", h("pre", { class: "mono plan", dir: "auto" }, prediction.details)) : null,
    verbatimOf(prediction),
    part("details.reasoning", h("p", { dir: "auto", class: "kept-lines" }, reasoningOf(prediction) || t("details.reasoning.none"))),
    prediction.alwaysAsked ? part("details.always-asked", h("p", { dir: "auto" }, worded(prediction.alwaysAskedWorded, prediction.alwaysAsked))) : null,
    figures(prediction),
    isOpen && prediction.editable ? editor(prediction, dialog) : null,
    isOpen && !prediction.editable && prediction.source !== "ask" ? h("p", { class: "note" }, t("details.fixed")) : null,
    checked,
    part("details.similar", similar),
    h(
      "a",
      { class: "more", href: `#/activity/story/${prediction.id}`, on: { click: () => dialog.close() } },
      t("details.episode"),
    ),
  ];
  dialog.append(h("div", null, parts));
  if (isEditing) dialog.querySelector("textarea")?.focus();
  void load(rails, `/predictions/${prediction.id}/why`, (why) => {
    if (prediction.source === "ask" && !wasJudged(why)) checked.remove(); // an agent's own act: Pulse runs nothing
    return drawRails(why);
  });
  void load(similar, `/predictions/${prediction.id}/similar`, (found) => drawSimilar(found, prediction.id));
}

/** What an agent is told, where the page reads it in another language. @param {Prediction} prediction */
function verbatimOf(prediction) {
  if (promptOf(prediction) === prediction.prompt || !prediction.runs || prediction.runs.prompt === "none") return null;
  return part("details.verbatim", h("p", { dir: "auto", class: "kept-lines" }, prediction.prompt));
}

/** @param {Prediction} prediction */
function outcomeOf({ id, result, outcome, outcomeWorded }) {
  const words = h("p", { dir: "auto" }, result ? resultWords(result) : coded(worded(outcomeWorded, outcome)));
  if (!result) return [words];
  const open = async () => (await import("./result.js")).openResult(id);
  return [words, h("div", null, h("button", { type: "button", class: "small", on: { click: open } }, t("result.open")))];
}

/** @param {Prediction} prediction */
function isAnswerable(prediction) {
  const card = state.get().cards[prediction.id];
  return card !== undefined && phaseOf(card, Date.now()) === "open" && Date.parse(prediction.expiresAt) > Date.now();
}

/** @param {string} key @param {...(Node)} nodes */
function part(key, ...nodes) {
  return h("section", null, h("h3", null, t(key)), nodes);
}

const waiting = () => h("p", { class: "quiet" }, t("loading"));

/**
 * @param {HTMLElement} root
 * @param {string} path
 * @param {(found: any) => Node[]} drawn
 */
async function load(root, path, drawn) {
  try {
    replace(root, ...drawn(await get(path)));
  } catch (error) {
    replace(root, h("p", { class: "note bad" }, coded(wordsOf(error))));
  }
}

/** @param {string} word @returns {string} the word as a shell would have to be given it */
const quoted = (word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'"'"'`)}'`);

/** @param {Prediction} prediction what would run: the command, its folder, what it sees, and the files that say so */
function planOf({ runs }) {
  if (!runs) return null;
  if (runs.problem) return part("details.runs", h("p", { class: "note bad", dir: "auto" }, worded(runs.problemWorded, runs.problem)));
  const rows = [
    ["details.runs.folder", runs.folder],
    ["details.runs.sees", runs.environment.join(", ")],
    ["details.runs.containment", worded(runs.containmentWorded, runs.containment)],
    ["details.runs.unclear", worded(runs.unclearWorded, runs.unclear)],
    ...runs.definedBy.map((file) => ["details.runs.defined", `${file.path} · ${file.sha256.slice(0, 12)}`]),
  ].filter(([, text]) => text);
  return part(
    "details.runs",
    h("pre", { class: "mono plan", dir: "ltr" }, runs.argv.length ? runs.argv.map(quoted).join(" ") : summaryOf(runs)),
    ...(runs.then ? [h("pre", { class: "mono plan", dir: "ltr" }, t("details.then", { command: runs.then.argv.length ? runs.then.argv.map(quoted).join(" ") : summaryOf(runs.then) }))] : []),
    ...(runs.script ? [h("pre", { class: "mono plan", dir: "ltr" }, runs.script)] : []),
    h(
      "dl",
      { class: "figures" },
      rows.map(([key, text]) => h("div", null, h("dt", null, t(key)), h("dd", { class: "mono" }, text))),
    ),
  );
}

/** @param {Prediction} prediction what would be committed, once its view is there */
function commitOf(prediction) {
  if (!prediction.runs?.commit) return null;
  const place = part("details.commit");
  void import("./commit.js").then(({ commitParts }) => place.append(...commitParts(prediction)));
  return place;
}

/** @param {Prediction} prediction */
function figures(prediction) {
  const { confidence, costEstimateUsd, createdAt, expiresAt, source, status } = prediction;
  const now = Date.now();
  const rows = [
    ...(isGuess(prediction) ? [["details.confidence", percent(confidence)]] : []),
    ...(source === "ask" ? [["details.cost", t("details.cost.ask")]] : []),
    ...(costEstimateUsd > 0 ? [["details.cost", usd(costEstimateUsd)]] : []),
    source === "ask" ? ["details.asked-by", agentTitle(prediction.targetAgent)] : ["details.source", t(`episode.source-${source}`)],
    [source === "ask" ? "details.asked" : "details.created", clock(createdAt, now)],
    ...(status === "pending" || status === "expired"
      ? [["details.expires", Date.parse(expiresAt) > now ? `${clock(expiresAt, now)} (${until(expiresAt, now)})` : clock(expiresAt, now)]]
      : []),
  ];
  return h(
    "dl",
    { class: "figures" },
    rows.map(([key, text]) => h("div", null, h("dt", null, t(key)), h("dd", null, text))),
  );
}

/** @param {Prediction} prediction @param {HTMLDialogElement} dialog */
function editor(prediction, dialog) {
  const id = "edit-prompt";
  const before = prediction.editText || prediction.prompt;
  const [label, run] = prediction.editText ? ["details.edit-message", "details.run-message"] : ["details.edit", "details.run"];
  const field = h("textarea", { id, rows: 3, maxlength: PROMPT_CHARS_MAX, dir: "auto", value: before });
  const button = h("button", { type: "submit", class: "main", disabled: true, dataset: { starts: "" } }, icon("play"), t(run));
  const stop = new StopNote("held-edit", true);
  field.addEventListener("input", () => (button.disabled = !isOther(field.value, before)));
  const form = h(
    "form",
    { class: "stack editor" },
    h("label", { for: id }, t(label)),
    field,
    stop.root,
    h("div", { class: "row end" }, button),
  );
  stop.update(form);
  const unwatch = state.watch(() => stop.update(form));
  dialog.addEventListener("close", unwatch);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (isHeld("edit")) return;
    dialog.close();
    void answer(prediction, "edit", "key", { prompt: field.value.trim() });
  });
  return form;
}

/** @param {string} text @param {string} before */
const isOther = (text, before) => text.trim() !== "" && text.trim() !== before.trim();

/** @param {import("../types").WhyAnswer} why */
const wasJudged = ({ steps }) => steps.some(({ verdicts }) => verdicts.length);

/** @param {import("../types").WhyAnswer} why @returns {Node[]} each rail's latest verdicts, each said once */
function drawRails(why) {
  const judged = why.steps.filter((step) => step.verdicts.length).at(-1);
  if (!judged) return [h("p", { class: "quiet" }, t("details.rails.none"))];
  return [h("ul", { class: "verdicts" }, saidOnce(judged.verdicts).map(verdictRow)), h("p", { class: "facts" }, worded(judged.textWorded, judged.text))];
}

/** @param {VerdictView} verdict */
function verdictRow({ stage, outcome, reason, reasonWorded, numbers }) {
  const name = has(`rail.${stage}`) ? t(`rail.${stage}`) : stage;
  const known = Object.entries(numbers).map(([key, value]) => numberWords(key, value));
  return h(
    "li",
    { dataset: { outcome } },
    h("span", { class: "mark", aria: { hidden: true } }),
    h(
      "div",
      { class: "grow" },
      h("strong", null, name),
      " ",
      h("span", { class: "facts" }, t(`verdict.${outcome}`)),
      h("p", { dir: "auto" }, worded(reasonWorded, reason)),
      known.length > 0 && h("p", { class: "facts" }, known.join(" · ")),
    ),
  );
}

/** @param {import("../types").SimilarAnswer} found @param {string} id @returns {Node[]} */
function drawSimilar({ predictions, approved, rejected }, id) {
  const others = predictions.filter((one) => one.id !== id);
  if (!others.length) return [h("p", { class: "quiet" }, t("details.similar.none"))];
  const rows = others
    .slice(0, SIMILAR_MAX)
    .map((one) =>
      h(
        "li",
        { class: "row" },
        h("span", { class: "mark", dataset: { state: one.status }, aria: { hidden: true } }),
        h("span", { class: "grow", dir: "auto" }, promptOf(one)),
        h("span", { class: "facts" }, t(`history.fate-${fateOf(one, Date.now())}`)),
      ),
    );
  return [
    h("p", null, t("details.similar.count", { approved, total: approved + rejected })),
    h("ul", { class: "recent" }, rows),
  ];
}
