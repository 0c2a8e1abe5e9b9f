// Made by `pulse connect opencode`; docs/connect.md tells what it does. `pulse connect opencode --remove` takes it out.
// What OpenCode asks its person it also asks Pulse, by a small program that prints the answer. The first answer counts:
// OpenCode itself refuses a second one, and one that is given in its own dialog takes the question back from Pulse.
import { spawn } from "node:child_process";

const PROGRAM = "@PROGRAM@";
const WAIT_MS = 1000 * Number("@WAIT_S@");
const ANSWER_CHARS_MAX = 1_000_000;
const REPLIES = {
  "permission.replied": "permission.asked",
  "question.replied": "question.asked",
  "question.rejected": "question.asked",
};
const NOTES = new Set(["session.idle", "session.error", "session.created", "session.deleted"]);

export const Pulse = async ({ client, directory }) => {
  /** @type {Map<string, { child: import("node:child_process").ChildProcess, properties: object }>} */
  const waiting = new Map();

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

  const reply = async (event, id, said) => {
    if (!said.trim()) return;
    const answer = JSON.parse(said);
    const kind = event.startsWith("question") ? "question" : "permission";
    const refused = kind === "question" && answer.reject;
    await client._client.post({
      url: `/${kind}/{requestID}/${refused ? "reject" : "reply"}`,
      path: { requestID: id },
      body: refused ? {} : answer,
      headers: { "Content-Type": "application/json" },
    });
  };

  const ask = (event, properties) => {
    const child = tell(event, properties, (said) => {
      if (!waiting.delete(properties.id)) return;
      reply(event, properties.id, said).catch((error) => console.error(`Pulse's answer was not taken: ${error}`));
    });
    waiting.set(properties.id, { child, properties });
  };

  const answered = (event, properties) => {
    const open = waiting.get(properties.requestID);
    if (!open) return; // it is the answer that came from here
    waiting.delete(properties.requestID);
    if (properties.reply === "reject" || event === "question.rejected") open.child.kill();
    else tell(event, open.properties);
  };

  return {
    event: async ({ event }) => {
      if (event.type === "permission.asked" || event.type === "question.asked") ask(event.type, event.properties);
      else if (event.type in REPLIES) answered(event.type, event.properties);
      else if (NOTES.has(event.type)) tell(event.type, { sessionID: event.properties?.sessionID ?? event.properties?.info?.id });
    },
  };
};
