import type { Prisma } from '../../generated/sqlite/client.js';

interface SealedColumns {
  /** the column with the realm or user that owns the row; null for a row without an owner */
  readonly owner: 'realmId' | 'userId' | null;
  /** columns with a sealed text */
  readonly texts: readonly string[];
  /** columns with a JSON object that has some sealed texts as members */
  readonly objects: readonly string[];
}

/** All columns with sealed texts, by model. */
export const sealedColumns = {
  Realm: { owner: null, texts: ['smtpPassword'], objects: [] },
  Client: { owner: 'realmId', texts: ['secret', 'previousSecret'], objects: ['attributes'] },
  Credential: { owner: 'userId', texts: ['secretData'], objects: [] },
  FederatedToken: { owner: 'userId', texts: ['token'], objects: [] },
  Component: { owner: 'realmId', texts: ['secrets'], objects: [] },
  IdentityProvider: { owner: 'realmId', texts: ['secrets'], objects: [] },
  AuthenticatorConfig: { owner: 'realmId', texts: [], objects: ['config'] },
  Webhook: { owner: 'realmId', texts: ['secret', 'previousSecret'], objects: [] },
  RealmApply: { owner: 'realmId', texts: ['inverse'], objects: [] },
  OneTimeToken: { owner: null, texts: ['payload'], objects: [] },
  IdempotencyKey: { owner: null, texts: ['outcome'], objects: [] },
  AuditBlock: { owner: null, texts: ['proof'], objects: [] },
  SecretsKeyCheck: { owner: null, texts: ['value'], objects: [] },
} as const satisfies { [M in Prisma.ModelName]?: SealedColumns };

type Models = typeof sealedColumns;

/** A model with sealed columns. */
export type SealedModel = keyof Models;

type PlaceIn<M extends SealedModel> = {
  readonly model: M;
  /** ID of the row */
  readonly id: string;
  /** the column; for an object, with the name of the member after a dot */
  readonly field: Models[M]['texts'][number] | `${Models[M]['objects'][number]}.${string}`;
} & (Models[M]['owner'] extends null ? unknown : { readonly owner: string });

/** The place of a sealed text: `owner` is the ID of the realm or user that owns the row. */
export type Place = { [M in SealedModel]: PlaceIn<M> }[SealedModel];

/** The row of a realm that an object belongs to. */
export interface RowOfRealm {
  readonly id: string;
  readonly realmId: string;
}

/** The place of the secret entries of a component or of an identity provider. */
export const placeOfSecrets = (model: 'Component' | 'IdentityProvider', { id, realmId }: RowOfRealm): Place => ({
  model,
  id,
  owner: realmId,
  field: 'secrets',
});

/** The place of a credential's secret. */
export const placeOfCredential = ({ id, userId }: { id: string; userId: string }): Place => ({
  model: 'Credential',
  id,
  owner: userId,
  field: 'secretData',
});

/** The place of a user's tokens from an identity provider. */
export const placeOfFederatedToken = ({ id, userId }: { id: string; userId: string }): Place => ({
  model: 'FederatedToken',
  id,
  owner: userId,
  field: 'token',
});

/** The place of a realm's password for its mail server. */
export const placeOfSmtpPassword = ({ id }: { id: string }): Place => ({ model: 'Realm', id, field: 'smtpPassword' });

/** The place of the rows that an apply has changed. */
export const placeOfInverse = ({ id, realmId }: RowOfRealm): Place => ({
  model: 'RealmApply',
  id,
  owner: realmId,
  field: 'inverse',
});

/** The place of the content of a code or of another one-time token. */
export const placeOfPayload = (id: string): Place => ({ model: 'OneTimeToken', id, field: 'payload' });
