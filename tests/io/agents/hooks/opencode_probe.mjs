// Loads Pulse's plugin as OpenCode does, and has it hear one request and the reply that OpenCode took. It ends when all
// that the plugin started has ended; what it handed OpenCode goes to standard output.
import { open } from "node:fs/promises";

const [plugin, pipe, printed, taken] = process.argv.slice(2);
const { Pulse } = await import(plugin);
const properties = { id: "per_1", sessionID: "s1", permission: "bash", metadata: { command: "touch x" } };
let handedIn;
const handed = new Promise((resolve) => (handedIn = resolve));
const client = {
  _client: {
    post: async ({ url, path, body }) => {
      process.stdout.write(`${JSON.stringify({ url, path, body })}\n`);
      handedIn();
    },
  },
};
const { event } = await Pulse({ client, directory: "/shop" });
await event({ event: { type: "permission.asked", properties } });
const written = await open(pipe, "w"); // returns once the program has written down the request and waits
if (printed) {
  await written.writeFile(`${printed}\n`);
  await written.close();
  await handed;
}
await event({ event: { type: "permission.replied", properties: { sessionID: "s1", requestID: "per_1", reply: taken } } });
await event({ event: { type: "permission.replied", properties: { sessionID: "s1", requestID: "per_9", reply: taken } } });
