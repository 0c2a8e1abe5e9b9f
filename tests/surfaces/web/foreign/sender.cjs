// npm web-push, a sender that somebody else wrote. Its input: {subscription, payload, options} as one JSON text.
const { readFileSync } = require("node:fs");
const http = require("node:http");
const https = require("node:https");

https.request = http.request; // it speaks https only; the test's push service is on loopback
const webpush = require("web-push");

const { subscription, payload, options } = JSON.parse(readFileSync(0, "utf8"));
webpush.sendNotification(subscription, payload, options).then(
  ({ statusCode }) => process.stdout.write(String(statusCode)),
  (error) => {
    process.stderr.write(String(error.stack));
    process.exit(1);
  },
);
