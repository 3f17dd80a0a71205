import { statSync, writeFileSync } from 'node:fs';
import { counted } from '../../services/core/counted.js';
import { isObject } from '../../services/core/json.js';
import type { Json } from '../../services/realms/desired/kinds.js';
import { listOf } from '../../services/realms/desired/kinds.js';
import type { ServerOptions } from '../access/credentials.js';
import { withRealms } from '../access/open.js';
import { compactRealm } from '../desired/compact.js';
import { loadDesired } from '../desired/load.js';
import { formatOf } from '../desired/parse.js';
import { realmText } from '../desired/realm-text.js';
import { secretReferences } from '../desired/secret-references.js';
import { isWritten, writeFolder } from '../desired/write-folder.js';
import { print } from '../print.js';

/** Options of `realmgate pull`. */
export interface PullOptions extends ServerOptions {
  realm: string;
  out?: string;
  users?: boolean;
  secrets?: boolean;
  secretReferences?: boolean;
  /** whether generated IDs and the defaults of new realms and objects are left out */
  withoutDefaults?: boolean;
}

/** Writes the files of a realm, which `realmgate plan` finds to be as the realm. Throws if the realm does not exist. */
export const pullRealm = ({
  realm,
  out,
  users = false,
  secrets = false,
  secretReferences: isNamed = false,
  withoutDefaults = false,
  ...server
}: PullOptions): Promise<void> =>
  withRealms(server, [], async (realms) => {
    const former = secrets || out === undefined ? {} : formerFiles(out);
    const whole = await realms.pull(realm, { users: true, secrets });
    const all = users ? whole : withServiceAccounts(whole);
    const pulled = withoutDefaults ? await compactRealm(all) : all;
    const references = secretReferences({ former, isNamed });
    if (out === undefined) return void process.stdout.write(realmText(pulled, 'yaml', references));
    const format = formatOf(out);
    if (format === undefined || statSync(out, { throwIfNoEntry: false })?.isDirectory()) {
      const files = writeFolder(pulled, out, references);
      print(`${counted(files.length, 'file')} written to ${out}.`);
      return;
    }
    // a file with secrets is its owner's alone
    writeFileSync(out, realmText(pulled, format, references), { mode: 0o600 });
    print(`${out} was written.`);
  });

/** The realm without users who are persons: the roles of service accounts are a part of its configuration. */
function withServiceAccounts(realm: Json): Json {
  const { users: _, ...rest } = realm;
  const accounts = listOf(realm, 'users').filter((user) => isObject(user) && user.serviceAccountClientId !== undefined);
  return accounts.length === 0 ? rest : { ...rest, users: accounts };
}

/**
 * The files of an earlier pull, with their references. Throws if they cannot be read: their references would be lost.
 */
function formerFiles(out: string): Json {
  const stat = statSync(out, { throwIfNoEntry: false });
  const isThere = stat?.isDirectory() ? isWritten(out) : stat !== undefined && stat.size > 0;
  return isThere ? loadDesired([out], { keepsReferences: true }).realm : {};
}
