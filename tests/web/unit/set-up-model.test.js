import assert from "node:assert/strict";
import { test } from "node:test";

import { awayDevices, deviceTitle, setUpSteps } from "../../../surfaces/web/page/js/views/set-up-model.js";

const NOTHING = { agents: [], watched: [], devices: [], push: null };
const done = (facts) => setUpSteps({ ...NOTHING, ...facts }).filter(({ isDone }) => isDone).map(({ name }) => name);

test("on the first day nothing is done, and the agents come first", () => {
  assert.deepEqual(done({}), []);
  assert.equal(setUpSteps(NOTHING)[0].name, "agents");
});

test("each step is done by what it is about", () => {
  assert.deepEqual(done({ agents: [{ state: "incomplete" }] }), []);
  assert.deepEqual(done({ agents: [{ state: "not-connected" }, { state: "connected" }] }), ["agents"]);
  assert.deepEqual(done({ watched: [{}] }), ["repositories"]);
  assert.deepEqual(done({ devices: [{ surface: "telegram", title: "" }] }), ["phone"]);
  assert.deepEqual(done({ push: { supported: true, subscribed: true } }), ["notifications"]);
});

test("what this browser cannot do is nobody's to do", () => {
  assert.deepEqual(done({ push: { supported: true, subscribed: false } }), []);
  assert.deepEqual(done({ push: { supported: false, subscribed: false } }), ["notifications"]);
});

test("a phone is what is reached while its person is away, and no second browser at a desk", () => {
  const counts = (surface, title = "") => awayDevices([{ surface, title }]).length === 1;
  for (const surface of ["phone", "watch", "telegram", "discord", "slack", "matrix", "ntfy", "homeassistant"]) assert.ok(counts(surface), surface);
  for (const title of ["Chrome on Android", "Safari auf iPhone", "Safari on iPad"]) assert.ok(counts("browser", title), title);
  for (const title of ["Chrome on Linux", "Firefox on Windows", "Safari on Mac", ""]) assert.ok(!counts("browser", title), title);
  for (const surface of ["terminal", "apprise", "glasses", "something-new"]) assert.ok(!counts(surface, "Chrome on Android"), surface);
});

test("a device is named in no language, for its name is read in all of them", () => {
  assert.equal(deviceTitle("Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36"), "Chrome (Linux)");
  assert.equal(deviceTitle("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari/604.1"), "Safari (iPhone)");
  assert.equal(deviceTitle("Mozilla/5.0 (Windows NT 10.0) Chrome/140.0 Safari/537.36 Edg/140.0"), "Edge (Windows)");
  assert.equal(deviceTitle("something new"), "Browser");
});
