import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, beforeEach, test } from "node:test";

import "../../../surfaces/web/page/js/shared/outbox.js";

const { PulseOutbox } = globalThis;
const LATER = Date.now() + 600_000;
/** @type {Map<string, any>} stands in for IndexedDB, which Node has not */
const kept = new Map();
const asked = [];
let plan = [];
let server;
const realFetch = globalThis.fetch;

globalThis.navigator ??= {}; // Node has none before 21
globalThis.PulseStore = {
  put: async (store, value) => void kept.set(value.key, value),
  get: async (store, key) => kept.get(key),
  all: async () => [...kept.values()],
  remove: async (store, key) => void kept.delete(key),
  clear: async () => kept.clear(),
};

globalThis.PulseSession = { signed: (path, init) => fetch(path, { ...init, headers: { ...init.headers, authorization: "DPoP t" } }) };

before(async () => {
  server = createServer((request, response) => {
    const chunks = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      asked.push({ path: request.url, who: request.headers.authorization, key: request.headers["idempotency-key"], body: JSON.parse(Buffer.concat(chunks).toString()) });
      const [status, document] = plan.shift() ?? [200, { message: "" }];
      if (status === 0) return response.destroy();
      response.writeHead(status, { "content-type": "application/problem+json" });
      return response.end(JSON.stringify(document));
    });
  });
  await new Promise((done) => {
    server.listen(0, "127.0.0.1", done);
  });
  const base = `http://127.0.0.1:${server.address().port}`;
  globalThis.fetch = (path, init) => realFetch(base + path, init);
});

after(() => {
  globalThis.fetch = realFetch;
  server.closeAllConnections();
  server.close();
});

beforeEach(() => {
  kept.clear();
  asked.length = 0;
  plan = [];
});

function answer(key, at = 1, more = {}) {
  return { key, at, expiresAt: LATER, path: "/predictions/card_1/confirm", body: { cardHash: "h" }, verb: "approve", cardId: "card_1", cardHash: "h", text: "Run it", ...more };
}

async function flushed() {
  return (await PulseOutbox.flush()).map(({ kind, answer: { key }, message }) => [key, kind, message]);
}

test("they are sent in their order, each with its key, and then forgotten", async () => {
  await PulseOutbox.keep(answer("b", 2));
  await PulseOutbox.keep(answer("a", 1));
  assert.deepEqual(await flushed(), [
    ["a", "sent", ""],
    ["b", "sent", ""],
  ]);
  assert.deepEqual(
    asked.map(({ path, key, body }) => [path, key, body.cardHash]),
    [
      ["/api/v1/predictions/card_1/confirm", "a", "h"],
      ["/api/v1/predictions/card_1/confirm", "b", "h"],
    ],
  );
  assert.equal(kept.size, 0);
});

test("a notification's answer is signed for as the page's is: its token alone opens nothing", async () => {
  await PulseOutbox.keep(answer("a", 1));
  await PulseOutbox.keep(answer("b", 2, { path: "/actions" }));
  await flushed();
  assert.deepEqual(
    asked.map(({ who }) => who),
    ["DPoP t", "DPoP t"],
  );
});

test("while the hub is away they wait, with the same key", async () => {
  await PulseOutbox.keep(answer("a", 1));
  await PulseOutbox.keep(answer("b", 2));
  plan = [[0], [503, {}], [429, {}]];
  for (let tries = 0; tries < 3; tries += 1) assert.deepEqual(await flushed(), []);
  assert.equal(kept.size, 2);
  assert.deepEqual(
    asked.map(({ key }) => key),
    ["a", "a", "a"],
  );
  assert.equal((await flushed()).length, 2);
});

test("what the hub refuses is told in its words, and the next one is sent", async () => {
  await PulseOutbox.keep(answer("a", 1));
  await PulseOutbox.keep(answer("b", 2));
  plan = [[409, { detail: "Dismissed on phone/p" }]];
  assert.deepEqual(await flushed(), [
    ["a", "refused", "Dismissed on phone/p"],
    ["b", "sent", ""],
  ]);
});

test("what has expired is not sent", async () => {
  await PulseOutbox.keep(answer("a", 1, { expiresAt: Date.now() - 1 }));
  assert.deepEqual(await flushed(), [["a", "expired", ""]]);
  assert.equal(asked.length, 0);
});

test("there is an end to what is kept", async () => {
  for (let number = 0; number < 100; number += 1) await PulseOutbox.keep(answer(`k${number}`));
  await assert.rejects(PulseOutbox.keep(answer("one too many")));
});

test("an answer that its page may still take back is sent by nobody else before its time", async () => {
  await PulseOutbox.keep(answer("held", 1, { notBefore: Date.now() + 60_000 }));
  await PulseOutbox.keep(answer("due", 2, { notBefore: Date.now() - 1 }));
  const told = await PulseOutbox.flush();
  assert.deepEqual(told.map((one) => one.answer.key), ["due"]);
  assert.deepEqual([...kept.keys()], ["held"]);
  await PulseOutbox.drop("held");
  assert.equal(kept.size, 0);
});

test("an answer that had arrived as its page was left is sent again and no news", async () => {
  plan = [[200, { message: "", repeated: true }], [200, { message: "", repeated: true }]];
  await PulseOutbox.keep(answer("left", 1, { notBefore: Date.now() - 1 }));
  await PulseOutbox.keep(answer("queued", 2));
  const told = await PulseOutbox.flush();
  assert.deepEqual(told.map((one) => one.answer.key), ["queued"]);
  assert.equal(told[0].repeated, true);
  assert.equal(kept.size, 0);
});
