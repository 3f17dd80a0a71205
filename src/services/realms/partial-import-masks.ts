import { isSecretAttribute } from '../clients/secrets.js';
import { requireSameDestination } from '../core/stored-secrets.js';
import type { Draft } from './build/draft.js';
import { mask } from './mask.js';
import type { Existing } from './partial-import-existing.js';
import type { SortedFile } from './partial-import-sort.js';

type Texts = Record<string, string>;

/**
 * Exports have masks in the place of secrets. In the file they stand for the secret of what is overwritten; where there
 * is none, a client gets a new one. A mask never becomes a secret itself.
 */
export function keepMasked(draft: Draft, { clients, providers }: Existing, sorted: SortedFile): void {
  const clientsById = new Map(clients.map((client) => [client.id, client]));
  sorted.clients.kept.forEach((client, index) => {
    const row = draft.clientByName.get(client.clientId ?? '');
    if (!row) return;
    const before = clientsById.get(sorted.clients.replaced.get(index) ?? '');
    if (client.secret === mask) row.secret = before?.secret ?? draft.context.seal(draft.context.newSecret());
    row.attributes = withKept(row.attributes as Texts, client.attributes ?? {}, (before?.attributes ?? {}) as Texts);
  });
  const rows = new Map(draft.rows.IdentityProvider.map((row) => [row.alias, row]));
  const providersById = new Map(providers.map((provider) => [provider.id, provider]));
  sorted.providers.kept.forEach((provider, index) => {
    const row = rows.get(provider.alias ?? '');
    if (!row || provider.config?.clientSecret !== mask) return;
    const before = providersById.get(sorted.providers.replaced.get(index) ?? '');
    if (before?.secrets) {
      requireSameDestination(
        'identityProvider',
        { before: before.config as Texts, after: row.config as Texts, kept: (name) => name === 'clientSecret' },
        `identityProviders.${index}.config`,
      );
      row.secrets = before.secrets;
    } else {
      const { clientSecret: _, ...config } = row.config as Texts;
      row.config = config;
    }
  });
}

/** Attributes as they are stored, with the sealed values of before where the file has masks. */
function withKept(stored: Texts, given: Texts, before: Texts): Texts {
  const masked = Object.keys(given).filter((name) => isSecretAttribute(name) && given[name] === mask);
  if (masked.length === 0) return stored;
  const attributes = { ...stored };
  for (const name of masked) {
    const kept = before[name];
    if (kept === undefined) delete attributes[name];
    else attributes[name] = kept;
  }
  return attributes;
}
