import type { ModelName } from '../../../database/db.js';
import { members } from '../../core/json.js';
import { isMoved, type SecretKind, secretKindOf } from '../../core/stored-secrets.js';
import { isOpen, secretIn } from '../desired/assemble.js';
import { type Delta, keyOfRow, type Row, type UpdatedRow } from '../desired/delta.js';
import { wholeConfig } from '../desired/single-rules.js';
import type { Unreturned } from './undo.js';

type Values = Parameters<typeof isMoved>[1];

/** The secrets in the rows of a table that are sent to other systems. */
interface Holder {
  /** the columns of the secrets and their destinations */
  columns: readonly string[];
  kindOf: (row: Row) => SecretKind | undefined;
  settings: (row: Row) => Values;
  /** the parts of a row that are kept together */
  paths: readonly string[][];
}

const inConfig = {
  columns: ['config', 'secrets'],
  settings: (row: Row) => wholeConfig(row) as Values,
  paths: [['config'], ['secrets']],
};

const holders: { [M in ModelName]?: Holder } = {
  Realm: {
    columns: ['settings', 'smtpPassword'],
    kindOf: () => 'mailServer',
    settings: ({ settings, smtpPassword }) => ({
      ...(members(members(settings).smtpServer) as Values),
      ...(isOpen(smtpPassword) && { password: secretIn(smtpPassword) }),
    }),
    paths: [['settings', 'smtpServer'], ['smtpPassword']],
  },
  Component: { ...inConfig, kindOf: ({ providerType, providerId }) => secretKindOf(providerType, providerId) },
  IdentityProvider: { ...inConfig, kindOf: () => 'identityProvider' },
};

/** The columns of a row that an apply stores. If a secret or its destination changes, these are all columns of both. */
export function withDestination(model: ModelName, columns: readonly string[]): string[] {
  const { columns: together = [] } = holders[model] ?? {};
  return together.some((name) => columns.includes(name)) ? [...new Set([...columns, ...together])] : [...columns];
}

/** A row before an apply, as far as the apply has stored it. */
const formerRow = (now: Row, { before }: UpdatedRow): Row => ({
  ...Object.fromEntries(Object.keys(now).map((name) => [name, undefined])),
  ...before,
});

/**
 * The parts of rows by which a revert would send a secret to a new destination, other than before the apply and now.
 */
export function movedSecrets(back: Delta, applied: Delta): Unreturned[] {
  return (Object.keys(holders) as ModelName[]).flatMap((model) => {
    const holder = holders[model];
    if (!holder) return [];
    const made = new Map(applied.get(model)?.updated.map((update) => [keyOfRow(model, update.after), update]));
    return (back.get(model)?.updated ?? []).flatMap(({ before: now, after: next }) => {
      const kind = holder.kindOf(now);
      const update = made.get(keyOfRow(model, now));
      const earlier = [now, ...(update ? [formerRow(now, update)] : [])].map(holder.settings);
      if (!kind || !isMoved(kind, holder.settings(next), earlier)) return [];
      return [{ model, key: keyOfRow(model, now), paths: holder.paths }];
    });
  });
}
