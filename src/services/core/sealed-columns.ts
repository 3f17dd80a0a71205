import type { Prisma } from '../../generated/sqlite/client.js';

interface SealedColumns {
  /** the column with the realm or user that the row belongs to; null for a row that belongs to nothing */
  readonly owner: 'realmId' | 'userId' | null;
  /** columns whose value is a sealed text */
  readonly texts: readonly string[];
  /** columns with a JSON object some of whose members are sealed texts */
  readonly objects: readonly string[];
}

/** All columns that hold sealed texts, by model. */
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
  /** id of the row */
  readonly id: string;
  /** the column, with the name of the member after a point where the column holds an object */
  readonly field: Models[M]['texts'][number] | `${Models[M]['objects'][number]}.${string}`;
} & (Models[M]['owner'] extends null ? unknown : { readonly owner: string });

/** Where a sealed text is stored: `owner` is the id of the realm or user that the row belongs to. */
export type Place = { [M in SealedModel]: PlaceIn<M> }[SealedModel];

/** The row of a realm that an object belongs to. */
export interface RowOfRealm {
  readonly id: string;
  readonly realmId: string;
}

/** Where the secret entries of a component or of an identity provider are stored. */
export const placeOfSecrets = (model: 'Component' | 'IdentityProvider', { id, realmId }: RowOfRealm): Place => ({
  model,
  id,
  owner: realmId,
  field: 'secrets',
});

/** Where the secret of a credential is stored. */
export const placeOfCredential = ({ id, userId }: { id: string; userId: string }): Place => ({
  model: 'Credential',
  id,
  owner: userId,
  field: 'secretData',
});

/** Where the tokens of a user from an identity provider are stored. */
export const placeOfFederatedToken = ({ id, userId }: { id: string; userId: string }): Place => ({
  model: 'FederatedToken',
  id,
  owner: userId,
  field: 'token',
});

/** Where the password of a realm at its mail server is stored. */
export const placeOfSmtpPassword = ({ id }: { id: string }): Place => ({ model: 'Realm', id, field: 'smtpPassword' });

/** Where the rows are stored that an apply has changed. */
export const placeOfInverse = ({ id, realmId }: RowOfRealm): Place => ({
  model: 'RealmApply',
  id,
  owner: realmId,
  field: 'inverse',
});

/** Where the content of a code or of another one-time token is stored. */
export const placeOfPayload = (id: string): Place => ({ model: 'OneTimeToken', id, field: 'payload' });
