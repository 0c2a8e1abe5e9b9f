/** A diff as git tells it, in files and lines. Pure. */

/** @typedef {{kind: "same" | "added" | "removed" | "place", text: string}} DiffLine */
/** @typedef {{path: string, lines: DiffLine[]}} DiffFile */

const HEADER = /^diff --git a\/(.*) b\/(.*)$/;
/** Lines between a file's name and its first change: what git keeps books on. */
const BOOKS = /^(index |--- |\+\+\+ |new file mode |deleted file mode |old mode |new mode |similarity index |rename from |rename to )/;
/** @type {Record<string, DiffLine["kind"]>} */
const KINDS = { "+": "added", "-": "removed", "@": "place" };

/**
 * @param {string} diff
 * @returns {DiffFile[]} in the order in which they come; what stands before the first is left out
 */
export function filesOf(diff) {
  /** @type {DiffFile[]} */
  const files = [];
  let isInBooks = false;
  for (const line of diff.split("\n")) {
    const named = HEADER.exec(line);
    if (named) {
      files.push({ path: named[2], lines: [] });
      isInBooks = true;
    } else if (files.length && !(isInBooks && BOOKS.test(line))) {
      isInBooks = isInBooks && !line.startsWith("@@");
      files[files.length - 1].lines.push(lineOf(line));
    }
  }
  return files.map(({ path, lines }) => ({ path, lines: trimmed(lines) }));
}

/** @param {string} line @returns {DiffLine} */
function lineOf(line) {
  const kind = KINDS[line[0]] ?? "same";
  return { kind, text: kind === "place" ? line : line.slice(1) };
}

/** @param {DiffLine[]} lines without the empty one that the text's last line break makes */
function trimmed(lines) {
  const last = lines.at(-1);
  return last && last.kind === "same" && last.text === "" ? lines.slice(0, -1) : lines;
}
