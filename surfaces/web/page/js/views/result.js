/** What came of a run: in numbers, in the agent's words, what changed in files line by line, and the note it wrote. */

import { get, wordsOf } from "../api.js";
import { coded } from "./coded.js";
import { broken, h, replace } from "../dom.js";
import { state } from "../state.js";
import { t } from "../words.js";
import { filesOf } from "./diff-model.js";
import { openDialog } from "./dialog.js";
import { resultWords } from "./face.js";
import { drawGraph } from "./graph.js";
import { markdown } from "./markdown.js";
import { needStyles } from "./styles.js";
import { promptOf, worded } from "./wordings.js";

/** @typedef {import("../types").WorkResult} WorkResult */
/** @typedef {import("../types").RunView} RunView */

const DIFF_LINES_MAX = 2_000;
const NOTE_CHARS_MAX = 100_000;

await needStyles("result.css");

/**
 * Open what came of a card's last run.
 * @param {string} id of the card
 */
export async function openResult(id) {
  document.querySelector("dialog.result")?.remove();
  const dialog = openDialog(t("result.title"), "sheet wide result");
  const body = h("div", { class: "stack" }, h("p", { class: "quiet" }, t("loading")));
  dialog.append(body);
  try {
    const known = state.get().cards[id]?.prediction ?? (await get(`/predictions/${encodeURIComponent(id)}`));
    const { runs } = await get(`/predictions/${encodeURIComponent(id)}/runs`);
    /** @type {RunView | undefined} */
    const run = runs.find((/** @type {RunView} */ one) => one.executionId === known.result?.executionId) ?? runs.at(-1);
    replace(body, h("p", { class: "prompt", dir: "auto" }, promptOf(known)), ...(run ? partsOf(run) : [h("p", { class: "quiet" }, t("result.none"))]));
  } catch (error) {
    replace(body, h("p", { class: "note bad" }, coded(wordsOf(error))));
  }
}

/** @param {RunView} run @returns {(Node | null)[]} */
function partsOf(run) {
  const { result } = run;
  if (!result) return [outputOf(run, true)];
  return [
    h("p", { class: `note ${toneOf(result)}` }, resultWords(result)),
    result.handedOver ? h("p", { class: "facts" }, t("work.handed-over")) : null,
    result.provenBy && result.ended === "done" ? h("p", { class: "facts" }, t("result.proven"), " ", h("code", { class: "mono" }, worded(result.provenByWorded, result.provenBy))) : null,
    result.advice ? h("p", { class: "note" }, worded(result.adviceWorded, result.advice)) : null,
    troubleOf(result),
    result.said ? part(t("result.said"), written(result.said, result.form)) : null,
    noteOf(run, result),
    filesPart(run, result),
    outputOf(run, !result.said && !result.files.length && result.form === "text"),
  ];
}

/** @param {WorkResult} result */
function toneOf({ ended, handedOver }) {
  if (handedOver) return "";
  return ended === "done" ? "good" : "bad";
}

/** @param {string} title @param {...(Node | null)} nodes */
function part(title, ...nodes) {
  return h("section", null, h("h3", null, title), nodes);
}

/** @param {WorkResult} result */
function troubleOf({ trouble }) {
  return trouble.length ? part(t("result.trouble"), h("pre", { class: "output", tabindex: 0, role: "group", aria: { label: t("result.trouble") } }, trouble.join("\n"))) : null;
}

/**
 * A text in the form in which it was written.
 * @param {string} text
 * @param {WorkResult["form"]} form
 * @returns {HTMLElement}
 */
function written(text, form) {
  if (form === "markdown") return h("div", { class: "written", dir: "auto" }, markdown(text));
  if (form === "mermaid") return drawGraph(text);
  return h("p", { class: "plain", dir: "auto" }, text);
}

/** What was put out is the note itself, where it has a form. @param {RunView} run @param {WorkResult} result */
function noteOf({ output }, { form, note, said }) {
  if (form === "text" || said || !output || output.length > NOTE_CHARS_MAX) return null;
  const place = note ? h("p", { class: "facts" }, t("result.note-in"), " ", h("code", { class: "mono" }, note)) : null;
  return part(t("result.note"), written(output, form), place);
}

/** @param {RunView} run @param {WorkResult} result */
function filesPart({ diff, diffCut }, { files, filesChanged }) {
  if (!filesChanged) return null;
  const changes = new Map(filesOf(diff ?? "").map((file) => [file.path, file.lines]));
  const rest = filesChanged - files.length;
  return part(
    t("result.files", { count: filesChanged }),
    h("ul", { class: "files" }, files.map((file) => h("li", null, fileRow(file, changes.get(file.path))))),
    rest > 0 ? h("p", { class: "facts" }, t("result.more-files", { count: rest })) : null,
    diffCut ? h("p", { class: "facts" }, t("result.cut")) : null,
  );
}

/**
 * @param {import("../types").ChangedFile} file
 * @param {import("./diff-model.js").DiffLine[] | undefined} lines
 */
function fileRow({ path, added, removed }, lines) {
  const name = [
    h("bdi", { class: "mono grow" }, broken(path)),
    added === null ? null : h("span", { class: "plus" }, `+${added}`),
    removed === null ? null : h("span", { class: "minus" }, `−${removed}`),
  ];
  if (!lines?.length) return h("p", { class: "row" }, name);
  const body = lines.slice(0, DIFF_LINES_MAX).map(({ kind, text }) => h("span", { class: `line ${CLASSES[kind]}` }, `${MARKS[kind]}${text}\n`));
  const label = t("result.diff-of", { path });
  return h("details", null, h("summary", { class: "row" }, name), h("pre", { class: "diff mono", tabindex: 0, role: "group", aria: { label }, dir: "ltr" }, body));
}

const CLASSES = { same: "same", added: "added", removed: "removed", place: "hunk" };
const MARKS = { same: "  ", added: "+ ", removed: "− ", place: "" };

/** @param {RunView} run @param {boolean} isOpen */
function outputOf({ output }, isOpen) {
  if (!output) return null;
  const text = h("pre", { class: "output", tabindex: 0, role: "group", aria: { label: t("episode.output") }, dir: "auto" }, output);
  return h("details", { open: isOpen }, h("summary", { class: "row" }, t("episode.output")), text);
}
