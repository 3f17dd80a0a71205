import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { phrases, type Rule } from './rules.js';

/** Folders whose comments are in plain English. A folder is added when it is done, and none is removed. */
const done: readonly string[] = [
  'src/brand',
  'src/cli',
  'src/database',
  'src/graph',
  'src/services/account',
  'src/services/attack-detection',
  'src/services/audit',
  'src/services/authentication',
  'src/services/authorization',
  'src/services/client-certificates',
  'src/services/client-registration',
  'src/services/core',
  'src/services/credentials',
  'src/services/evaluate-scopes',
  'src/services/events',
  'src/services/explanations',
  'src/services/installation',
  'src/services/keys',
  'src/services/ldap',
  'src/services/localization',
  'src/services/mail',
  'src/services/permissions',
  'src/services/protocol-mappers',
  'src/services/providers',
  'src/services/realms',
  'src/services/role-mappings',
  'src/services/scope-mappings',
  'src/services/search',
  'src/services/secrets-key',
  'src/services/server-info',
  'src/services/sessions',
  'src/services/user-storage',
  'src/services/webhooks',
  'src/services/whoami',
  'src/telemetry',
];

/** Files in these folders that are not done. */
const open: ReadonlySet<string> = new Set([
  'src/services/core/settings-without-effect.ts',
  'src/services/core/shape.ts',
]);

/** Maximum words of a sentence. */
const longestSentence = 30;

/** Refused in comments: the phrases that no text may have, and others. */
const refused: readonly Rule[] = [
  ...phrases,
  { pattern: /\bwhat(ever)?\b/i, reason: 'Write a noun: "Returns the deleted rows."' },
  { pattern: /\bthose (of|that|which|who|whose|with|in|at)\b/i, reason: 'Name the things: "the roles of the user".' },
  { pattern: /\bwhich of\b/i, reason: 'Name what is selected: "the roles that the caller can view".' },
  { pattern: /^(Which|Whom|Whose|So many|So long)\b/, reason: 'Begin with a verb or a noun.' },
  { pattern: /(?<![\w./-])ids?\b/, reason: 'Write "ID".' },
  { pattern: /\btells? of\b|\bby hand\b/i, reason: 'Write "reports", "states", "manually".' },
];

interface Comment {
  line: number;
  text: string;
}

const block = /^[ ]*\/\*\*?(?<body>[\s\S]*?)\*\//gm;
const lines = /(?:^[ ]*\/\/.*\n)+/gm;
const trailing = /^(?![ ]*(?:\/\/|\*|\/\*)).*[;,{}()\]>] \/\/ (?<body>[^'`"\n]*)$/gm;

/** Returns the comments of a source. They are found by their place in a line; no string has such a line. */
function findComments(source: string): Comment[] {
  return [block, lines, trailing].flatMap((form) =>
    [...source.matchAll(form)].map((match) => ({
      line: source.slice(0, match.index).split('\n').length,
      text: (match.groups?.body ?? match[0]).replace(/^[ ]*(\*|\/\/)[ ]?/gm, ''),
    })),
  );
}

/** Returns the sentences of a comment, without quotations, code, and addresses. */
function sentences(text: string): string[] {
  return text
    .replace(/`[^`]*`/g, 'code')
    .replace(/"[^"]*"|“[^”]*”/g, 'quotation')
    .replace(/https?:\S+/g, 'address')
    .split(/\n[ ]*\n|\n(?=[ ]*(?:-|@|\d\.|\|)[ ])|(?<=[.!?]\)?)\s+(?=\W*[A-Z]|code|quotation)/)
    .map((sentence) => sentence.replace(/\s+/g, ' ').trim())
    .filter((sentence) => sentence !== '' && !/^(biome-ignore|@ts-|v8 ignore)/.test(sentence));
}

const countWords = (sentence: string): number => sentence.split(' ').filter((word) => /\w/.test(word)).length;

function listFaults(file: string): string[] {
  return findComments(readFileSync(file, 'utf8')).flatMap(({ line, text }) =>
    sentences(text).flatMap((sentence) => [
      ...refused
        .filter(({ pattern }) => pattern.test(sentence))
        .map(({ reason }) => `${file}:${line}: "${sentence}" ${reason}`),
      ...(countWords(sentence) > longestSentence
        ? [`${file}:${line}: "${sentence}" Split it: ${countWords(sentence)} words.`]
        : []),
    ]),
  );
}

it.each(done)('the comments of %s are in plain English', (folder) => {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(folder, file))
    .filter((file) => !open.has(file));
  expect(files.length).toBeGreaterThan(0);
  expect(files.flatMap(listFaults)).toEqual([]);
});
