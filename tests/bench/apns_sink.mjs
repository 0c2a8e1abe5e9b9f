// APNs for the benchmark: takes every push and says 200, on Node's HTTP/2, so that it is not what limits the clients.
// Arguments: the PEM file with key and certificates, and the window in bytes. Prints its port; ends with its input.
import http2 from "node:http2";
import { readFileSync } from "node:fs";

const [pem, window] = process.argv.slice(2);
const both = readFileSync(pem);
const server = http2.createSecureServer({
  key: both,
  cert: both,
  settings: { maxConcurrentStreams: 1000, initialWindowSize: Number(window) },
});
server.on("stream", (stream, headers) => {
  stream.resume();
  stream.on("error", () => {});
  stream.on("end", () => {
    if (!stream.destroyed) stream.respond({ ":status": 200, "apns-id": headers["apns-id"] }, { endStream: true });
  });
});
server.on("sessionError", () => {});
server.listen(0, "127.0.0.1", () => process.stdout.write(`${server.address().port}\n`));
process.stdin.on("end", () => process.exit(0)).resume();
