import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

/** Every connection that the page opens; a test decides what arrives on it, and in which state it is. */
class Wire extends EventTarget {
  static CONNECTING = 0;
  static OPEN = 1;
  static CLOSING = 2;
  static CLOSED = 3;
  /** @type {Wire[]} */
  static opened = [];

  constructor(address) {
    super();
    this.address = address;
    this.readyState = Wire.OPEN;
    this.sent = [];
    Wire.opened.push(this);
  }

  send(text) {
    assert.equal(this.readyState, Wire.OPEN, `sent on a connection that is closing: ${text}`);
    this.sent.push(JSON.parse(text));
  }

  close() {
    this.readyState = Wire.CLOSING;
  }

  hear(message) {
    this.dispatchEvent(Object.assign(new Event("message"), { data: JSON.stringify(message) }));
  }
}

globalThis.WebSocket = Wire;
globalThis.location = { protocol: "http:", host: "127.0.0.1:8420" };
globalThis.document = Object.assign(new EventTarget(), { visibilityState: "visible" });
globalThis.addEventListener = () => {};
/** What is to be looked at again, in order; undefined stands for all. @type {unknown[]} */
const again = [];
globalThis.dispatchEvent = ({ type, detail }) => type === "pulse:look-again" && again.push(detail);
globalThis.localStorage = { getItem: () => null, setItem() {} };

const { sayPresence, startLive, stopLive } = await import("../../../surfaces/web/page/js/live.js");
const HELLO = { type: "hello", status: { state: "watching" } };
const SUBSCRIBED = { type: "subscribed", replayed: 0 };
const kinds = (wire) => wire.sent.map(({ type }) => type);

beforeEach(() => {
  stopLive();
  Wire.opened.length = 0;
  startLive();
});

test("a page says what it wants to hear, and who looks, on a connection that is open", () => {
  const [wire] = Wire.opened;
  wire.hear(HELLO);
  wire.hear(SUBSCRIBED);
  sayPresence(true, 0);
  assert.deepEqual(kinds(wire).slice(-2), ["subscribe", "presence"]);
});

for (const state of [Wire.CLOSING, Wire.CLOSED]) {
  test(`nothing is said on a connection in state ${state}, whatever was still heard on it`, () => {
    const [wire] = Wire.opened;
    wire.hear(HELLO);
    wire.readyState = state;
    wire.hear(SUBSCRIBED); // was under way when the connection was lost
    sayPresence(true, 0);
    wire.hear(HELLO);
    assert.deepEqual(kinds(wire), ["subscribe"]);
  });
}

test("what changed beside the cards is looked at when the hub says so, and all of it after a gap", () => {
  const [wire] = Wire.opened;
  again.length = 0;
  wire.hear(HELLO);
  wire.hear(SUBSCRIBED);
  wire.hear({ type: "look-again", what: "terminals" });
  assert.deepEqual(again.map((what) => what ?? "all"), ["all", "terminals"]);
});
