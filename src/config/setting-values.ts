import { readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { hostsOf } from './database-hosts.js';
import { type Networks, networksOf } from './networks.js';

/** A whole number in a range. */
export const wholeNumber = (from: number, to: number) =>
  z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number)
    .pipe(z.number().min(from).max(to));

/** Prefixes of addresses by their names; none is empty. */
const prefixes = { auth: '/auth', none: '' } as const;
export type AddressPrefix = (typeof prefixes)[keyof typeof prefixes];

/** The prefixes of the addresses, each once. The first one is that of issuers. */
export const addressPrefixes = z
  .string()
  .transform((text) => text.split(',').map((name) => name.trim()))
  .pipe(z.array(z.enum(['auth', 'none'])).min(1))
  .refine((names) => new Set(names).size === names.length)
  .transform((names): [AddressPrefix, ...AddressPrefix[]] => {
    const [first = 'auth', ...others] = names;
    return [prefixes[first], ...others.map((name) => prefixes[name])];
  });

/** `true` or `false`. */
export const flag = z.enum(['true', 'false']).transform((text) => text === 'true');

/** A text as an address; undefined for one that is none. */
export const parsedUrl = (text: string): URL | undefined => (URL.canParse(text) ? new URL(text) : undefined);

/** What the driver of PostgreSQL knows. It would take any other word for the default. */
const sslModes = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'];

/** The form of an address of PostgreSQL, in words. */
export const postgresqlForm = `a postgresql:// URL whose sslmode, if any, is ${sslModes.slice(0, -1).join(', ')} or ${sslModes.at(-1)}`;

const hasKnownSslMode = (url: string): boolean =>
  (parsedUrl(url)?.searchParams.getAll('sslmode') ?? []).every((mode) => sslModes.includes(mode));

/** The path of a SQLite file or a PostgreSQL address. */
export const databaseUrl = z.string().refine((text) => {
  if (text.startsWith('file:')) return text.length > 'file:'.length && !/[?#]|:memory:/.test(text);
  return (
    /^postgres(ql)?:\/\//.test(text) &&
    hostsOf(text).every((url) => parsedUrl(url) !== undefined && hasKnownSslMode(url))
  );
});

/** An http or https address without a slash at the end. */
export const publicUrl = z.string().refine((text) => {
  const url = parsedUrl(text);
  return url !== undefined && /^https?:$/.test(url.protocol) && !/[?#@]|\/$/.test(text);
});

/** A key of 32 bytes. */
export const secretsKey = z.string().transform((text, context) => {
  const bytes = Buffer.from(text, /^[0-9a-fA-F]{64}$/.test(text) ? 'hex' : 'base64');
  if (bytes.length === 32 && /^[0-9A-Za-z+/_-]+=*$/.test(text)) return new Uint8Array(bytes);
  context.addIssue('must be 32 bytes');
  return z.NEVER;
});

/** A list with commas of addresses, CIDRs and host names. */
export const networks = z.string().transform((text, context): Networks => {
  const entries = text.split(',').map((entry) => entry.trim());
  const found = networksOf(entries.filter((entry) => entry !== ''));
  if (found) return found;
  context.addIssue('must be a list of networks');
  return z.NEVER;
});

/** How many proxies there are, or which ones. */
export const proxies = z.string().transform((text, context): number | Networks => {
  if (/^(true|false)$/.test(text)) return text === 'true' ? 1 : 0;
  if (/^\d{1,2}$/.test(text)) return Number(text);
  const entries = text.split(',').map((entry) => entry.trim());
  const found = entries.every((entry) => /^[\da-f:.]+(\/\d+)?$/i.test(entry)) ? networksOf(entries) : undefined;
  if (found) return found;
  context.addIssue('must be a list of proxies');
  return z.NEVER;
});

/** Certificates in PEM, out of the file that the setting names. */
export const certificateFile = z.string().transform((path, context) => {
  try {
    const text = readFileSync(path, 'utf8');
    if (text.includes('-----BEGIN CERTIFICATE-----')) return text;
  } catch {
    // told of below
  }
  context.addIssue('must contain certificates');
  return z.NEVER;
});

/** The two forms of such files: that of Relay and GraphQL Code Generator, and the manifest of Apollo. */
const documentsById = z.record(z.string().min(1), z.string().min(1));
const apolloManifest = z.object({
  format: z.literal('apollo-persisted-query-manifest'),
  operations: z.array(z.object({ id: z.string().min(1), body: z.string().min(1) })),
});

/** GraphQL documents by their IDs, out of the file that the setting names. */
export const documentsFile = z.string().transform((path, context): ReadonlyMap<string, string> => {
  try {
    const content: unknown = JSON.parse(readFileSync(path, 'utf8'));
    const manifest = apolloManifest.safeParse(content);
    if (manifest.success) return new Map(manifest.data.operations.map(({ id, body }) => [id, body]));
    return new Map(Object.entries(documentsById.parse(content)));
  } catch {
    context.addIssue('must contain documents');
    return z.NEVER;
  }
});

/** The path of a folder that exists. */
export const folder = z.string().refine((path) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true);

/** The path of a file that can be made, or `-` for the standard output. */
export const auditFile = z
  .string()
  .transform((text) => (text === 'stdout' ? '-' : text))
  .refine((path) => {
    if (path === '-') return true;
    const found = statSync(path, { throwIfNoEntry: false });
    return found ? !found.isDirectory() : folder.safeParse(dirname(path)).success;
  });

/** Kinds of events, separated by commas. */
export const auditEvents = z
  .string()
  .transform((text) => [...new Set(text.split(',').map((kind) => kind.trim()))])
  .pipe(z.array(z.enum(['admin', 'login'])).min(1));

/** Pairs `name=value`, separated by commas, with percent-encoded values. */
export const pairs = z.string().transform((text, context): Readonly<Record<string, string>> => {
  try {
    const entries = text.split(',').map((pair) => {
      const [, name = '', value = ''] = /^\s*([\w.!#$%&'*+^`|~-]+)\s*=\s*(.*?)\s*$/.exec(pair) ?? [];
      if (name === '') throw new Error('no name');
      return [name, decodeURIComponent(value)];
    });
    return Object.fromEntries(entries);
  } catch {
    context.addIssue('must be pairs');
    return z.NEVER;
  }
});
