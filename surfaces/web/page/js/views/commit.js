/** What a commit would hold: each file with its size and its changes, folded, and its pictures as they were and are. */

import { get, wordsOf } from "../api.js";
import { h } from "../dom.js";
import { bytes } from "../format.js";
import { has, t } from "../words.js";
import { filesOf } from "./diff-model.js";
import { needStyles } from "./styles.js";

/** @typedef {import("../types").Prediction} Prediction */
/** @typedef {import("../types").FileToCommit} FileToCommit */
/** @typedef {import("../types").CommitChanges} CommitChanges */

const LINES_MAX = 2_000;
const CLASSES = { same: "same", added: "added", removed: "removed", place: "hunk" };
const MARKS = { same: "  ", added: "+ ", removed: "− ", place: "" };

await needStyles("result.css");

/**
 * The files of a commit; what a card has no room for (all of the diff, pictures) is read when it is needed.
 * @param {Prediction} prediction
 * @returns {Node[]} nothing for a card that commits nothing
 */
export function commitParts({ id, runs }) {
  const commit = runs?.commit;
  if (!commit) return [];
  const list = h("ul", { class: "files commit" });
  const fill = (/** @type {string} */ diff) => {
    const lines = new Map(filesOf(diff).map((file) => [file.path, file.lines]));
    list.replaceChildren(...commit.files.map((file) => h("li", { dataset: { path: file.path } }, fileRow(file, lines.get(file.path)))));
  };
  fill(commit.diff);
  const note = h("p", { class: "facts", hidden: !commit.diffCut }, t("commit.cut"));
  if (commit.diffCut || commit.files.some(isPicture)) void more(id, list, fill, note);
  return [h("p", { class: "message", dir: "auto" }, t("commit.message", { text: commit.message })), list, note];
}

/**
 * @param {string} id
 * @param {HTMLElement} list
 * @param {(diff: string) => void} fill
 * @param {HTMLElement} note
 */
async function more(id, list, fill, note) {
  /** @type {CommitChanges} */
  let changes;
  try {
    changes = await get(`/predictions/${encodeURIComponent(id)}/changes`);
  } catch (error) {
    note.hidden = false;
    note.textContent = `${t("commit.cut")} ${wordsOf(error)}`;
    return;
  }
  if (!changes.isCurrent) return;
  fill(changes.diff ?? "");
  note.hidden = !changes.diffCut;
  for (const row of /** @type {NodeListOf<HTMLElement>} */ (list.querySelectorAll("[data-path]"))) {
    const shots = (changes.pictures ?? []).filter(({ path }) => path === row.dataset.path);
    if (shots.length) row.append(h("div", { class: "shots" }, shots.map(shot)));
  }
}

/** @param {import("../types").CommitPicture} picture */
function shot({ path, isBefore, media, data }) {
  const words = t(isBefore ? "commit.before" : "commit.now");
  return h("figure", null, h("img", { src: `data:${media};base64,${data}`, alt: `${path}, ${words}`, decoding: "async" }), h("figcaption", { class: "facts" }, words));
}

/** @param {FileToCommit} file whether nobody can count its lines */
const isPicture = ({ added }) => added === null || added === undefined;

/**
 * @param {FileToCommit} file
 * @param {import("./diff-model.js").DiffLine[] | undefined} lines
 */
function fileRow(file, lines) {
  const { became, was, path, added, removed } = file;
  const size = became === "deleted" ? file.sizeBefore : file.size;
  const name = [
    h("span", { class: `became ${became}` }, has(`commit.${became}`) ? t(`commit.${became}`) : became),
    h("bdi", { class: "mono grow" }, was ? `${was} → ${path}` : path),
    size === null || size === undefined ? null : h("span", { class: "facts" }, bytes(size)),
    isPicture(file) ? h("span", { class: "facts" }, t("commit.binary")) : h("span", { class: "plus" }, `+${added}`),
    isPicture(file) ? null : h("span", { class: "minus" }, `−${removed ?? 0}`),
  ];
  if (!lines?.length || isPicture(file)) return h("p", { class: "row" }, name);
  const body = lines.slice(0, LINES_MAX).map(({ kind, text }) => h("span", { class: `line ${CLASSES[kind]}` }, `${MARKS[kind]}${text}\n`));
  const label = t("result.diff-of", { path });
  return h("details", null, h("summary", { class: "row" }, name), h("pre", { class: "diff mono", tabindex: 0, role: "group", aria: { label }, dir: "ltr" }, body));
}
