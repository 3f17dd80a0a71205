// Signed tokens: made for a step to send, or opened in an answer so that their content is compared.
import { createHmac, createSign } from 'node:crypto';
import { parsePath, readPath } from './paths.mjs';

const encode = (value) => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
const read = (part) => JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));

/**
 * A JWT of { alg, key, header, claims }. In claims, '+60' is a time 60 seconds from now, '<now>' the second in which the
 * scenario began, so that ids made of it stay the same, and '<base>' the address of the server.
 */
export function sign({ alg, key, header = {}, claims }, { base, begun }) {
  const now = Math.floor(Date.now() / 1000);
  const value = (claim) => {
    if (Array.isArray(claim)) return claim.map(value);
    if (typeof claim !== 'string') return claim;
    return /^[+-]\d+$/.test(claim) ? now + Number(claim) : claim.replaceAll('<base>', base).replaceAll('<now>', begun);
  };
  const payload = Object.fromEntries(Object.entries(claims).map(([name, claim]) => [name, value(claim)]));
  const text = `${encode({ alg, typ: 'JWT', ...header })}.${encode(payload)}`;
  return `${text}.${signature(alg, key, text)}`;
}

function signature(alg, key, text) {
  const hash = `sha${alg.slice(2)}`;
  if (alg.startsWith('HS')) return createHmac(hash, key).update(text).digest('base64url');
  if (alg.startsWith('RS')) return createSign(hash).update(text).sign(key, 'base64url');
  return '';
}

/** An answer in which the JWTs at the given paths are replaced by their header (without the key's id) and claims. */
export function decodeTokens(answer, paths = []) {
  if (!paths.length) return answer;
  let body;
  try {
    body = JSON.parse(answer.bytes.toString('utf8'));
  } catch {
    return answer;
  }
  for (const path of paths) {
    const token = readPath(body, path);
    if (typeof token !== 'string' || token.split('.').length !== 3) continue;
    const [{ kid, ...header }, claims] = token.split('.').slice(0, 2).map(read);
    const parts = parsePath(path);
    const parent = parts.slice(0, -1).reduce((value, { field, index }) => value[field ?? index], body);
    const last = parts.at(-1);
    parent[last.field ?? last.index] = { header, claims };
  }
  return { ...answer, bytes: Buffer.from(JSON.stringify(body)) };
}
