// A foreign client of the stand-in: npm @parse/node-apn sends what it reads (JSON), and says how each was answered.
import { createRequire } from "node:module";
import { text } from "node:stream/consumers";

const [folder, host, port, key, keyId, teamId] = process.argv.slice(2);
const apn = createRequire(`${folder}/`)("@parse/node-apn");
const provider = new apn.Provider({
  token: { key, keyId, teamId },
  production: true,
  address: host,
  port: Number(port),
});

const answers = [];
for (const asked of JSON.parse(await text(process.stdin))) {
  const note = new apn.Notification();
  note.rawPayload = asked.payload;
  note.topic = asked.topic;
  note.pushType = asked.pushType;
  note.priority = asked.priority;
  note.expiry = asked.expiry;
  note.id = asked.id;
  if (asked.collapseId) note.collapseId = asked.collapseId;
  const result = await provider.send(note, asked.token);
  const failed = result.failed[0];
  answers.push({
    sent: result.sent.length,
    status: failed ? Number(failed.status ?? 0) : 200,
    reason: failed?.response?.reason ?? "",
    error: failed?.error ? String(failed.error) : "",
  });
}
await provider.shutdown();
process.stdout.write(JSON.stringify(answers));
