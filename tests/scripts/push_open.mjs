// Opens a Web Push message as a browser does (RFC 8291), and checks the token of who sent it (RFC 8292);
// with Node's own cryptography, so that nothing of the server's is trusted.
//   push_open.mjs keys                              a subscription's keys, as JSON
//   push_open.mjs open '{"private":…}' < REQUEST    the message and the claims of the token, as JSON
import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from "node:crypto";
import { readFileSync } from "node:fs";

const [verb, given] = process.argv.slice(2);
const b64 = (bytes) => Buffer.from(bytes).toString("base64url");
const raw = (text) => Buffer.from(text, "base64url");

if (verb === "keys") {
  const pair = createECDH("prime256v1");
  const point = pair.generateKeys();
  console.log(JSON.stringify({ private: b64(pair.getPrivateKey()), p256dh: b64(point), auth: b64(randomBytes(16)) }));
} else {
  const keys = JSON.parse(given);
  const { authorization, body: sealed } = JSON.parse(readFileSync(0, "utf8"));
  const body = raw(sealed);
  const salt = body.subarray(0, 16), size = body.readUInt32BE(16), idLength = body[20];
  const sender = body.subarray(21, 21 + idLength), text = body.subarray(21 + idLength);
  if (text.length > size) throw new Error("more than one record");
  const pair = createECDH("prime256v1");
  pair.setPrivateKey(raw(keys.private));
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), raw(keys.p256dh), sender]);
  const input = Buffer.from(hkdfSync("sha256", pair.computeSecret(sender), raw(keys.auth), info, 32));
  const derive = (label, n) => Buffer.from(hkdfSync("sha256", input, salt, Buffer.from(`Content-Encoding: ${label}\0`), n));
  const cipher = createDecipheriv("aes-128-gcm", derive("aes128gcm", 16), derive("nonce", 12));
  cipher.setAuthTag(text.subarray(-16));
  const plain = Buffer.concat([cipher.update(text.subarray(0, -16)), cipher.final()]);
  const end = plain.lastIndexOf(2);
  const [, token, key] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(authorization);
  const [head, claims, signature] = token.split(".");
  const point = raw(key);
  const jwk = { kty: "EC", crv: "P-256", x: b64(point.subarray(1, 33)), y: b64(point.subarray(33)) };
  const signed = verify("sha256", Buffer.from(`${head}.${claims}`),
    { key: createPublicKey({ key: jwk, format: "jwk" }), dsaEncoding: "ieee-p1363" }, raw(signature));
  console.log(JSON.stringify({ message: JSON.parse(plain.subarray(0, end)), signed, key,
    head: JSON.parse(raw(head)), claims: JSON.parse(raw(claims)) }));
}
