import { vi } from 'vitest';
import { names as cookies } from '../../src/rest/login/cookies.js';
import type { Route } from '../../src/rest/table.js';
import { isThorough } from '../support/sample.js';
import { numbered } from './large.js';

// What a request to an address without a description is made of: the server runs in this process, so that a test can see which
// parameters it looks for.

/** The names of the parameters of queries and forms that are looked for during `work`. */
async function parametersRead(work: () => Promise<unknown>): Promise<readonly string[]> {
  const { prototype } = URLSearchParams;
  const spies = [vi.spyOn(prototype, 'get'), vi.spyOn(prototype, 'getAll'), vi.spyOn(prototype, 'has')];
  try {
    await work();
    return spies.flatMap(({ mock }) => mock.calls.map(([name]) => name));
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

/**
 * The parameters of an address, each with its value in `usual` or none: what is read depends on what is sent, so that the address is asked
 * with what it has read until it reads nothing else.
 */
export async function parametersOfAddress(
  usual: Readonly<Record<string, string>>,
  ask: (parameters: URLSearchParams) => Promise<unknown>,
): Promise<{ names: readonly string[]; least: URLSearchParams }> {
  const names = new Set<string>();
  for (let before = -1; before !== names.size; ) {
    before = names.size;
    for (const name of await parametersRead(() => ask(leastOf(usual, names)))) names.add(name);
  }
  return { names: [...names], least: leastOf(usual, names) };
}

const leastOf = (usual: Readonly<Record<string, string>>, names: ReadonlySet<string>): URLSearchParams =>
  new URLSearchParams(Object.entries(usual).filter(([name]) => names.has(name)));

const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Texts of at most `room` characters as a form has them: each begins with `begin`, and repeats `part`. */
function texts(room: number): string[] {
  const filled = (begin: string, part: string, end = ''): string => {
    const size = (text: string): number => new URLSearchParams([['', text]]).toString().length - 1;
    const count = Math.floor((room - size(begin + end)) / (size(part + part) - size(part)));
    return begin + part.repeat(Math.max(0, count)) + end;
  };
  const claims = Object.fromEntries(Array.from({ length: Math.floor(room / 24) }, (_, at) => [`c${at}`, 'v']));
  return [
    filled('', 'x'),
    filled('', 'user '),
    filled('', '*a'),
    filled('', 'ü'),
    filled('https://app-1.example/', '%61'),
    filled('https://app-1.example/', 'a/../'),
    filled('[', '[', ''),
    filled('{"id_token":{', '"a":null,', '"b":null}}'),
    `${base64({ alg: 'RS256', typ: 'JWT', kid: 'x' })}.${base64(claims)}.x`,
  ];
}

/** Requests with as much in each of the parameters as there is room for: as one text, and as very many. */
export function largestRequests(least: URLSearchParams, names: readonly string[], room: number): URLSearchParams[] {
  const most = (name: string): URLSearchParams[] => {
    const others = new URLSearchParams([...least].filter(([other]) => other !== name));
    const left = room - others.toString().length - name.length - 2;
    const repeated = Array.from({ length: Math.floor(left / (name.length + 4)) }, (_, at): [string, string] => [
      name,
      String(at % 100),
    ]);
    return [
      ...texts(left).map((text) => new URLSearchParams([...others, [name, text]])),
      new URLSearchParams([...others, ...repeated]),
    ];
  };
  const unknown = Array.from({ length: Math.floor(room / 8) }, (_, at): [string, string] => [`x${at % 9999}`, '']);
  return [new URLSearchParams([...least, ...unknown].slice(0, unknown.length)), ...names.flatMap(most)];
}

/** Characters of a form, and of a query with its address, that are nearly as many as there may be. */
export const longestForm = 15 * 1024;
export const longestQuery = 31_000;

/** Headers with as much as there is room for, in each of those that addresses of clients and browsers look at. */
export function largestHeaders(room: number): Readonly<Record<string, string>>[] {
  const filled = (begin: string, part: string): string =>
    begin + part.repeat(Math.floor((room - begin.length) / part.length));
  return [
    { authorization: filled('Basic ', 'eDp4') },
    { authorization: filled('Bearer eyJhbGciOiJSUzI1NiJ9.', 'x') },
    { 'accept-language': filled('', 'xx,') },
    ...Object.values(cookies).flatMap((name) => [
      { cookie: filled(`${name}=`, 'x') },
      { cookie: filled('', `${name}=a; `) },
    ]),
  ];
}

const words = numbered(60, (at) => `${at}${'user'.repeat(45)}`).join(' ');

/** Queries with all pages at once, and each parameter with a long text and with one that most have. */
export function queriesOf({ query }: Pick<Route, 'query'>): URLSearchParams[] {
  const all = { ...(query.includes('max') && { max: String(2 ** 31 - 1) }), briefRepresentation: 'false' };
  const others = query.filter((name) => !['first', 'max', 'briefRepresentation'].includes(name));
  const values = isThorough ? [words, 'a', 'true'] : [words];
  return [{}, ...others.flatMap((name) => values.map((value) => ({ [name]: value })))].map(
    (own) => new URLSearchParams({ ...all, ...own }),
  );
}
