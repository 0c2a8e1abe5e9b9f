import assert from "node:assert/strict";
import { test } from "node:test";

import { SECTIONS, isFound, wordsIn } from "../../../surfaces/web/page/js/views/settings-model.js";

test("the sections begin with what holds for everything, and none is there twice", () => {
  assert.equal(SECTIONS[0], "general");
  assert.equal(new Set(SECTIONS).size, SECTIONS.length);
});

test("every word has to be there, however it is written", () => {
  assert.ok(isFound(wordsIn("QUIET  hours"), "Quiet hours from 23:00"));
  assert.ok(!isFound(wordsIn("quiet days"), "Quiet hours from 23:00"));
  assert.deepEqual(wordsIn("   "), []);
});
