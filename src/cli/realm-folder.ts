import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';

/** The file that lists the realms of a folder. */
export const manifestName = 'realms.json';
/** The finished realms of a run, a line for each: the next run continues after an interruption. */
const journalName = 'realms.journal';
/** Files with secrets are their owner's alone. */
const ownersOnly = { file: 0o600, folder: 0o700 } as const;

const Entry = z.object({
  name: z.string(),
  id: z.string(),
  file: z.string().regex(/^[a-z0-9_~-]+\.json$/),
  bytes: z.number(),
  sha256: z.string(),
  /** differs after a change of the realm */
  version: z.string(),
  /** when its export began */
  exportedAt: z.iso.datetime(),
});
const Parts = z.object({ users: z.boolean(), secrets: z.boolean() });
const Manifest = Parts.extend({ realms: z.array(Entry) });

/** A realm in a folder: its file, with the size and hash of the content. */
export type RealmEntry = z.infer<typeof Entry>;
/** The parts in the files of a folder. */
export type ExportedParts = z.infer<typeof Parts>;

/** Names that are files on every system: in lower case, without dots, and not too long. */
const plain = /^[a-z0-9][a-z0-9_-]{0,63}$/;
/** Names of devices on Windows, and the name of the manifest. */
const reserved = /^(con|prn|aux|nul|com\d|lpt\d|realms)$/;

/**
 * The name of a realm's file. Two realms never have the same name, even on case-insensitive file systems: a realm whose
 * name cannot be a file name gets its hash.
 */
export function fileNameOf(realm: string): string {
  if (plain.test(realm) && !reserved.test(realm)) return `${realm}.json`;
  const readable = realm
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 40);
  return `${readable}~${createHash('sha256').update(realm).digest('hex').slice(0, 16)}.json`;
}

/** The realms in the manifest of a folder, by file; empty without a manifest. Throws for an unreadable one. */
export async function listedRealms(folder: string): Promise<ReadonlyMap<string, RealmEntry>> {
  const { realms = [] } = (await readManifest(folder)) ?? {};
  return new Map(realms.map((entry) => [entry.file, entry]));
}

async function readManifest(folder: string): Promise<z.infer<typeof Manifest> | undefined> {
  const path = join(folder, manifestName);
  const text = await textOf(path);
  if (text === undefined) return undefined;
  const { data } = Manifest.safeParse(parsed(text));
  if (!data) throw new Error(`${path} is not a list of exported realms. Restore it, or delete it.`);
  return data;
}

/** The entries of an interrupted run; the last line can be incomplete. */
async function readJournal(folder: string): Promise<z.infer<typeof Manifest> | undefined> {
  const lines = (await textOf(join(folder, journalName)))?.split('\n') ?? [];
  const { data: parts } = Parts.safeParse(parsed(lines[0] ?? ''));
  if (!parts) return undefined;
  const realms = lines.slice(1).flatMap((line) => Entry.safeParse(parsed(line)).data ?? []);
  return { ...parts, realms };
}

const textOf = (path: string): Promise<string | undefined> =>
  readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A folder that realms are exported to. */
export interface RealmFolder {
  /** The entry of a realm in the folder, if its file is complete. */
  known(id: string): Promise<RealmEntry | undefined>;
  /** Notes that the folder has this realm. */
  note(entry: RealmEntry): Promise<void>;
  /** Writes the manifest, and deletes the files of realms that were not noted. Call it after the last realm. */
  finish(): Promise<void>;
  /** Releases the folder. The next run finds the noted realms. */
  close(): Promise<void>;
}

/**
 * Opens a folder for the export of realms, and creates it if it is missing. Throws if its files were exported with
 * other parts, unless `isFresh`.
 */
export async function openRealmFolder(folder: string, parts: ExportedParts, isFresh: boolean): Promise<RealmFolder> {
  await mkdir(folder, { recursive: true, mode: ownersOnly.folder });
  const earlier = [await readManifest(folder), await readJournal(folder)].filter((one) => one !== undefined);
  const isAlike = ({ users, secrets }: ExportedParts) => users === parts.users && secrets === parts.secrets;
  const latest = earlier.at(-1);
  if (latest && !isAlike(latest) && !isFresh) {
    throw new Error(`${folder} has files of an export with ${described(latest)}. Use --fresh, or another folder.`);
  }
  const usable = isFresh ? [] : earlier.filter(isAlike);
  const before = new Map(usable.flatMap(({ realms }) => realms).map((entry) => [entry.id, entry]));
  const noted = new Map<string, RealmEntry>();
  const journal = await beginJournal(folder, parts, [...before.values()]);
  return {
    async known(id) {
      const entry = before.get(id);
      return entry && (await isSound(folder, entry)) ? entry : undefined;
    },
    async note(entry) {
      noted.set(entry.id, entry);
      await journal.appendFile(lineOf(entry));
    },
    async finish() {
      const { users, secrets } = parts;
      const lines = [...noted.values()].map((entry) => `\n    ${JSON.stringify(entry)}`);
      const text = `{\n  "users": ${users},\n  "secrets": ${secrets},\n  "realms": [${lines.join(',')}\n  ]\n}\n`;
      await replace(join(folder, manifestName), text);
      const kept = new Set([...noted.values()].map(({ file }) => file));
      const stale = earlier.flatMap(({ realms }) => realms).filter(({ file }) => !kept.has(file));
      for (const { file } of stale) await rm(join(folder, file), { force: true });
      await rm(join(folder, journalName));
    },
    close: () => journal.close(),
  };
}

const described = ({ users, secrets }: ExportedParts): string =>
  `${users ? 'users' : 'no users'} and ${secrets ? 'secrets' : 'no secrets'}`;

/** Whether the file of a realm is unchanged since it was written. */
export async function isSound(folder: string, { file, bytes, sha256 }: RealmEntry): Promise<boolean> {
  const path = join(folder, file);
  const found = await stat(path).catch(() => undefined);
  if (found?.size !== bytes) return false;
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex') === sha256;
}

const lineOf = (value: object): string => `${JSON.stringify(value)}\n`;

/** Begins a journal with everything that earlier runs have finished. */
async function beginJournal(folder: string, parts: ExportedParts, known: RealmEntry[]): Promise<FileHandle> {
  const path = join(folder, journalName);
  await replace(path, [parts, ...known].map(lineOf).join(''));
  return open(path, 'a', ownersOnly.file);
}

/** Writes a file as a whole: an interruption leaves the old one. */
async function replace(path: string, text: string): Promise<void> {
  await writeFile(`${path}.part`, text, { mode: ownersOnly.file, flush: true });
  await rename(`${path}.part`, path);
}
