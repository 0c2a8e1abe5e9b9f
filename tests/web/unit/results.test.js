import assert from "node:assert/strict";
import { test } from "node:test";
import { filesOf } from "../../../surfaces/web/page/js/views/diff-model.js";
import { graphOf } from "../../../surfaces/web/page/js/views/graph-model.js";
import { blocksOf, spansOf } from "../../../surfaces/web/page/js/views/markdown-model.js";
import { useWords } from "../../../surfaces/web/page/js/words.js";
import { pretendBrowser } from "./cards.js";

pretendBrowser();
const { resultWords } = await import("../../../surfaces/web/page/js/views/face.js");

const kinds = (text) => blocksOf(text).map((block) => block.kind);

test("a diff is files with their lines; what git keeps books on is left out, also where it looks like a change", () => {
  const diff = [
    "diff --git a/a.py b/a.py",
    "index 1..2 100644",
    "--- a/a.py",
    "+++ b/a.py",
    "@@ -1,2 +1,2 @@",
    " same",
    "--- gone",
    "+++ come",
    "diff --git a/old b/new name",
    "rename from old",
    "rename to new name",
    "",
  ].join("\n");
  const [first, second] = filesOf(diff);
  assert.equal(first.path, "a.py");
  assert.deepEqual(
    first.lines.map((line) => [line.kind, line.text]),
    [["place", "@@ -1,2 +1,2 @@"], ["same", "same"], ["removed", "-- gone"], ["added", "++ come"]],
  );
  assert.deepEqual(second, { path: "new name", lines: [] });
  assert.deepEqual(filesOf("nothing of git's"), []);
});

test("Markdown is blocks; what is not closed goes to the end", () => {
  const text = "# Title\n\nTwo\nlines\n\n- one\n  goes on\n- two\n\n1. first\n\n> said\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n---\n\n```js\nlet a;\n";
  assert.deepEqual(kinds(text), ["heading", "paragraph", "list", "list", "quote", "table", "rule", "code"]);
  const [, paragraph, list, ordered, , table, , code] = blocksOf(text);
  assert.equal(paragraph.spans[0].text, "Two lines");
  assert.deepEqual(list.items.map((item) => item[0].text), ["one goes on", "two"]);
  assert.equal(ordered.isOrdered, true);
  assert.deepEqual(table.rows.map((row) => row.map((cell) => cell[0].text)), [["a", "b"], ["1", "2"]]);
  assert.deepEqual([code.language, code.text], ["js", "let a;\n"]);
});

test("in a line only plain marks mean something, and a link leads to the web or nowhere", () => {
  assert.deepEqual(
    spansOf("a **b** `c` *d* [e](https://f) [g](javascript:alert(1)) <i>"),
    [
      { kind: "text", text: "a " },
      { kind: "strong", text: "b" },
      { kind: "text", text: " " },
      { kind: "code", text: "c" },
      { kind: "text", text: " " },
      { kind: "emphasis", text: "d" },
      { kind: "text", text: " " },
      { kind: "link", text: "e", href: "https://f" },
      { kind: "text", text: " " },
      { kind: "text", text: "[g](javascript:alert(1)" },
      { kind: "text", text: ") <i>" },
    ],
  );
  assert.deepEqual(spansOf(""), [{ kind: "text", text: "" }]);
});

test("a chart's nodes lie below what leads to them, and a circle ends", () => {
  const graph = graphOf('graph LR\n  a["core"] --> b\n  b --> c\n  a --> c\n  c --> a\n');
  assert.deepEqual(Object.fromEntries(graph.nodes.map(({ id, label }) => [id, label])), { a: "core", b: "b", c: "c" });
  const acyclic = graphOf("flowchart TD\na --> b --> c\na --> c");
  assert.deepEqual(acyclic.nodes.map(({ layer }) => layer), [0, 1, 2]);
  assert.equal(acyclic.edges.length, 3);
});

test("what is no such chart is told so: other kinds, other lines, too many nodes", () => {
  assert.equal(graphOf("sequenceDiagram\nA->>B: hi"), null);
  assert.equal(graphOf("graph TD\nwhat is this"), null);
  assert.equal(graphOf("graph TD\n"), null);
  assert.equal(graphOf(`graph TD\n${Array.from({ length: 61 }, (_, at) => `n${at}`).join("\n")}`), null);
});

test("a result is one line in the person's language", () => {
  useWords("en", { "result.passed.other": "{count} passed", "result.failed.one": "{count} failed", "result.took": "in {span}", "result.took-no-time": "in under a second", "result.ended-stopped": "Stopped" });
  const tests = { passed: 1991, failed: 0, errors: 0, skipped: 0, of: "tests" };
  assert.equal(resultWords({ ended: "done", summary: "x", tests, durationS: 14.2 }), "1,991 passed in 14 s");
  assert.equal(resultWords({ ended: "done", summary: "x", tests, durationS: 1.88 }), "1,991 passed in 2 s"); // as the hub rounds it
  assert.equal(resultWords({ ended: "done", summary: "x", tests, durationS: 0.02 }), "1,991 passed in under a second");
  assert.equal(resultWords({ ended: "failed", summary: "x", tests: { ...tests, failed: 1 }, durationS: null }), "1 failed, 1,991 passed");
  assert.equal(resultWords({ ended: "done", summary: "A note was written.", tests: null, durationS: 1 }), "A note was written.");
  assert.equal(resultWords({ ended: "stopped", summary: "", tests: null, durationS: 1 }), "Stopped");
});

test("what the hub says of a run is in the page's language; what a program printed stays", () => {
  useWords("de", { "worded.say.words_line": "{words}: {line}", "worded.say.tests_failed_took": "Tests fehlgeschlagen{took}", "worded.say.in_time": " in {time}" });
  const took = { code: "say.in_time", values: { time: "12 s" }, listed: [], day: null, about: null };
  const words = { code: "say.tests_failed_took", values: {}, listed: [], day: null, about: null, parts: { took } };
  const summaryWorded = { code: "say.words_line", values: { line: "boom" }, listed: [], day: null, about: null, parts: { words } };
  const result = { ended: "failed", summary: "Tests failed in 12 s: boom", summaryWorded, tests: null, durationS: 12 };
  assert.equal(resultWords(result), "Tests fehlgeschlagen in 12 s: boom");
  assert.equal(resultWords({ ...result, summaryWorded: null }), "Tests failed in 12 s: boom");
});
