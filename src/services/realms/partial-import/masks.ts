import {
  isSecretAttribute,
  openedAttributes,
  openedSecret,
  sealedAttributes,
  sealedSecret,
} from '../../clients/secrets.js';
import { mask } from '../../core/mask.js';
import { openedEntries, type Sealer, sealedEntries } from '../../core/seal.js';
import { placeOfSecrets, type RowOfRealm } from '../../core/sealed-columns.js';
import { requireSameDestination } from '../../core/stored-secrets.js';
import type { Draft } from '../assemble/draft.js';
import type { Existing } from './existing.js';
import type { SortedFile } from './sort.js';

type Texts = Record<string, string>;

/**
 * Exports have masks in place of secrets. In a file they stand for the secret of the overwritten object. If there is
 * none, a client gets a new one. A mask never becomes a secret itself.
 */
export function keepMasked(draft: Draft, sealer: Sealer, { clients, providers }: Existing, sorted: SortedFile): void {
  const clientsById = new Map(clients.map((client) => [client.id, client]));
  sorted.clients.kept.forEach((client, index) => {
    const row = draft.clientByName.get(client.clientId ?? '');
    if (!row) return;
    const before = clientsById.get(sorted.clients.replaced.get(index) ?? '');
    const { realmId } = draft;
    if (client.secret === mask) {
      const kept = before && openedSecret({ ...before, realmId }, sealer);
      row.secret = sealedSecret(row, kept ?? draft.context.newSecret(), sealer);
    }
    const attributes = before ? openedAttributes({ ...before, realmId }, sealer) : {};
    row.attributes = withKept(row, client.attributes ?? {}, attributes, sealer);
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
      // the replacing row may have another ID
      const place = placeOfSecrets('IdentityProvider', { id: before.id, realmId: draft.realmId });
      const secrets = openedEntries<string>(before.secrets, place, sealer);
      row.secrets = sealedEntries(secrets, placeOfSecrets('IdentityProvider', row), sealer);
    } else {
      const { clientSecret: _, ...config } = row.config as Texts;
      row.config = config;
    }
  });
}

/** The attributes of a new row, with the stored values in place of masks. */
function withKept(row: RowOfRealm & { attributes?: unknown }, given: Texts, before: Texts, sealer: Sealer): Texts {
  const stored = row.attributes as Texts;
  const masked = Object.keys(given).filter((name) => isSecretAttribute(name) && given[name] === mask);
  if (masked.length === 0) return stored;
  const others = Object.entries(stored).filter(([name]) => !masked.includes(name));
  const kept = masked.flatMap((name) => (before[name] === undefined ? [] : [[name, before[name]]]));
  return { ...Object.fromEntries(others), ...sealedAttributes(row, Object.fromEntries(kept), sealer) };
}
