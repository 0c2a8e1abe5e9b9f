// Made by `pulse connect opencode`; docs/connect.md tells what it does. `pulse connect opencode --remove` takes it out.
// What OpenCode asks its person it also asks Pulse, by a small program that prints the answer. The first answer counts:
// OpenCode itself refuses a second one. Pulse is told of one that is given in its own dialog, also where a card was
// answered in the same moment: OpenCode took that one, so the card is to say so.
import { spawn } from "node:child_process";

const PROGRAM = "@PROGRAM@";
const WAIT_MS = 1000 * Number("@WAIT_S@");
const ANSWER_CHARS_MAX = 1_000_000;
const OPEN_MAX = 200;
const REJECT = "reject", ONCE = "once";
const REPLIES = {
  "permission.replied": "permission.asked",
  "question.replied": "question.asked",
  "question.rejected": "question.asked",
};
const NOTES = new Set(["session.idle", "session.error", "session.created", "session.deleted"]);

export const Pulse = async ({ client, directory }) => {
  /**
   * What was asked and has had no reply yet; `handed` is the reply that came from Pulse, once it has.
   * @type {Map<string, { child: import("node:child_process").ChildProcess, properties: object, handed?: string }>}
   */
  const asked = new Map();

  /** Start the program with one event; `then` is given what it printed. */
  const tell = (event, properties, then = () => {}) => {
    const child = spawn(PROGRAM, [], { stdio: ["pipe", "pipe", "ignore"], timeout: WAIT_MS });
    let said = "";
    child.stdout.setEncoding("utf8");
    child.stdout.on("data", (piece) => {
      if (said.length < ANSWER_CHARS_MAX) said += piece;
    });
    child.on("error", () => then("")); // Pulse is not installed any more: the dialog is open all the same
    child.on("close", () => then(said));
    child.stdin.on("error", () => {}); // it ended before it had read; what it printed says why
    child.stdin.end(JSON.stringify({ event, folder: directory, properties }));
    return child;
  };

  /** Hand OpenCode what the program printed; `open` remembers it before anything is waited for. */
  const reply = async (event, id, said, open) => {
    const answer = JSON.parse(said);
    const kind = event.startsWith("question") ? "question" : "permission";
    const refused = kind === "question" && answer.reject;
    open.handed = refused ? REJECT : (answer.reply ?? ONCE);
    await client._client.post({
      url: `/${kind}/{requestID}/${refused ? "reject" : "reply"}`,
      path: { requestID: id },
      body: refused ? {} : answer,
      headers: { "Content-Type": "application/json" },
    });
  };

  const ask = (event, properties) => {
    const { id } = properties;
    const child = tell(event, properties, (said) => {
      const open = asked.get(id);
      if (!open) return; // it was answered in OpenCode's own dialog
      if (!said.trim()) asked.delete(id);
      else reply(event, id, said, open).catch((error) => console.error(`Pulse's answer was not taken: ${error}`));
    });
    asked.set(id, { child, properties });
    if (asked.size > OPEN_MAX) asked.delete(asked.keys().next().value);
  };

  /** OpenCode has taken a reply, ours or another one; only of another one Pulse need be told. */
  const answered = (event, { requestID, reply: taken }) => {
    const open = asked.get(requestID);
    if (!open) return;
    asked.delete(requestID);
    const how = taken ?? (event === "question.rejected" ? REJECT : ONCE);
    if (open.handed !== how) tell(event, { ...open.properties, reply: how }, () => open.child.kill());
  };

  return {
    event: async ({ event }) => {
      if (event.type === "permission.asked" || event.type === "question.asked") ask(event.type, event.properties);
      else if (event.type in REPLIES) answered(event.type, event.properties);
      else if (NOTES.has(event.type)) tell(event.type, { sessionID: event.properties?.sessionID ?? event.properties?.info?.id });
    },
  };
};
