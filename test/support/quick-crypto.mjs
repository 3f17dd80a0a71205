// Node's two slow calculations, quicker: for a worker of the tests, for a server that they start with `node --import`, and for the
// threads of both, which import what their process does. What comes out is as real as without it. Servers that are started without
// it calculate as usual.
//
// - An RSA key of 2048 bits is put together from two primes of a list. Looking for new primes takes a third of a second of a
//   processor for each key, and the tests create thousands of realms. A process gets each key once. Keys of other sizes are
//   generated as usual.
// - PBKDF2 of the usual number of rounds is calculated once in a thread for a password and its salt: the tests log the same people
//   in again and again.
import crypto, { createPrivateKey, createPublicKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { promisify } from 'node:util';

const { generateKeyPair, pbkdf2Sync } = crypto;
const exponent = 0x10001n;
const usualRounds = 27500;
const mostRemembered = 10_000;

crypto.generateKeyPair = quickKeyPair;
crypto.pbkdf2Sync = quickPbkdf2;
syncBuiltinESMExports();

function quickKeyPair(type, options, callback) {
  if (!isUsualKey(type, options)) return generateKeyPair(type, options, callback);
  const { publicKey, privateKey } = nextPair();
  setImmediate(callback, null, publicKey, privateKey);
}
quickKeyPair[promisify.custom] = async (type, options) =>
  isUsualKey(type, options) ? nextPair() : await promisify(generateKeyPair)(type, options);

/** Whether it is a key as realms have it, and wanted as an object. */
function isUsualKey(type, { modulusLength, publicExponent = 0x10001, publicKeyEncoding, privateKeyEncoding }) {
  const isUsual = type === 'rsa' && modulusLength === 2048 && publicExponent === 0x10001;
  return isUsual && publicKeyEncoding === undefined && privateKeyEncoding === undefined;
}

/** Read when the first key is wanted: most threads want none. */
let primes;
let pairs = 0;
let turn = 0;

function readPrimes() {
  primes = JSON.parse(readFileSync(new URL('primes.json', import.meta.url), 'utf8')).map(integer);
  pairs = primes.length * Math.floor((primes.length - 1) / 2);
  turn = Math.floor(Math.random() * pairs);
}

/** The next of all pairs of primes, each once; a process begins anywhere among them. */
function nextPair() {
  if (!primes) readPrimes();
  turn = (turn + 1) % pairs;
  const first = turn % primes.length;
  const distance = 1 + Math.floor(turn / primes.length);
  const privateKey = rsaKey(primes[first], primes[(first + distance) % primes.length]);
  return { publicKey: createPublicKey(privateKey), privateKey };
}

/** The private key (RFC 8017 section 3.2) with the primes. */
function rsaKey(one, other) {
  const [p, q] = one > other ? [one, other] : [other, one];
  const d = inverse(exponent, (p - 1n) * (q - 1n));
  const numbers = { n: p * q, e: exponent, d, p, q, dp: d % (p - 1n), dq: d % (q - 1n), qi: inverse(q, p) };
  const texts = Object.entries(numbers).map(([name, value]) => [name, base64url(value)]);
  return createPrivateKey({ format: 'jwk', key: { kty: 'RSA', ...Object.fromEntries(texts) } });
}

/** What `value` is multiplied by to give 1 modulo `modulus` (the extended Euclidean algorithm). */
function inverse(value, modulus) {
  let [previous, rest] = [modulus, value % modulus];
  let [before, factor] = [0n, 1n];
  while (rest > 0n) {
    const quotient = previous / rest;
    [previous, rest] = [rest, previous - quotient * rest];
    [before, factor] = [factor, before - quotient * factor];
  }
  return before < 0n ? before + modulus : before;
}

function integer(text) {
  return BigInt(`0x${Buffer.from(text, 'base64url').toString('hex')}`);
}

function base64url(value) {
  const digits = value.toString(16);
  return Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex').toString('base64url');
}

const derived = new Map();

function quickPbkdf2(password, salt, rounds, length, digest) {
  if (rounds !== usualRounds) return pbkdf2Sync(password, salt, rounds, length, digest);
  const key = [digest, password, salt].map((part) => Buffer.from(part).toString('base64')).join();
  const known = derived.get(key);
  // a shorter result is the beginning of a longer one (RFC 8018 section 5.2)
  if (known?.length >= length) return Buffer.from(known.subarray(0, length));
  const bytes = pbkdf2Sync(password, salt, rounds, length, digest);
  remember(key, Buffer.from(bytes));
  return bytes;
}

function remember(key, bytes) {
  if (derived.size >= mostRemembered) derived.delete(derived.keys().next().value);
  derived.set(key, bytes);
}
