import type { Context } from '../../services/core/context.js';
import { invalid } from '../../services/core/refusal.js';
import { builder } from '../core/builder.js';
import { AttributeInput, attributeMap } from '../core/filters.js';
import { parseId } from '../core/node.js';

/** A password in an input. */
const PasswordInput = builder.inputType('PasswordInput', {
  description: 'A password to set.',
  fields: (t) => ({
    value: t.string({ required: true, description: 'The password, which the policy of the realm has to allow.' }),
    temporary: t.boolean({ description: 'Whether it has to be changed at the next login.' }),
  }),
});

const HashedCredentialInput = builder.inputType('HashedCredentialInput', {
  description: 'A credential that was hashed or made elsewhere, to be taken over.',
  fields: (t) => ({
    type: t.string({ required: true, description: 'Kind of credential: password, otp …' }),
    label: t.string({ description: 'Name that tells it from others.' }),
    createdAt: t.field({ type: 'DateTime', description: 'When it was made.' }),
    credentialData: t.string({ required: true, description: 'JSON of its public part, such as the algorithm.' }),
    secretData: t.string({ required: true, description: 'JSON of its secret part; it cannot be read again.' }),
  }),
});

const FederatedIdentityInput = builder.inputType('FederatedIdentityInput', {
  description: 'The account of a user at an identity provider.',
  fields: (t) => ({
    identityProvider: t.string({ required: true, description: 'Alias of the identity provider.' }),
    userId: t.string({ required: true, description: 'Id of the user there.' }),
    username: t.string({ description: 'User name there.' }),
  }),
});

type Fields = PothosSchemaTypes.InputFieldBuilder<(typeof builder)['$inferSchemaTypes'], 'InputObject'>;

const ownFields = (t: Fields) => ({
  email: t.string({ description: 'E-mail address; stored in lower case.' }),
  emailVerified: t.boolean({ description: 'Whether the address is known to be the user’s.' }),
  firstName: t.string({ description: 'First name.' }),
  lastName: t.string({ description: 'Last name.' }),
  enabled: t.boolean({ description: 'Whether the user can log in. A new user cannot, unless told.' }),
  attributes: t.field({ type: [AttributeInput], description: 'Free data; replaces all attributes.' }),
  requiredActions: t.stringList({ description: 'Aliases of actions to perform at the next login; replaces them all.' }),
  password: t.field({ type: PasswordInput, description: 'Password to set.' }),
  credentials: t.field({ type: [HashedCredentialInput], description: 'Credentials to take over from elsewhere.' }),
});

/** What a new user is made of. */
export const newUserFields = (t: Fields) => ({
  username: t.string({
    description: 'Unique in the realm; stored in lower case. Realms may take the address instead.',
  }),
  ...ownFields(t),
  groups: t.idList({ description: 'Ids of groups to join.' }),
  federatedIdentities: t.field({ type: [FederatedIdentityInput], description: 'Accounts at identity providers.' }),
});

/** What of a user can be changed. */
export const userFields = (t: Fields) => ({
  username: t.string({ description: 'New user name; ignored where the realm does not let user names change.' }),
  ...ownFields(t),
});

interface UserFields {
  username?: string | null;
  email?: string | null;
  emailVerified?: boolean | null;
  firstName?: string | null;
  lastName?: string | null;
  enabled?: boolean | null;
  attributes?: { name: string; values: string[] }[] | null;
  requiredActions?: string[] | null;
  password?: { value: string; temporary?: boolean | null } | null;
  credentials?:
    | {
        type: string;
        label?: string | null;
        createdAt?: Date | null;
        credentialData: string;
        secretData: string;
      }[]
    | null;
}

export interface NewUserFields extends UserFields {
  groups?: string[] | null;
  federatedIdentities?: { identityProvider: string; userId: string; username?: string | null }[] | null;
}

const credentialsOf = ({ password, credentials }: UserFields) =>
  credentials === null
    ? null
    : password || credentials
      ? [
          ...(credentials ?? []).map(({ type, label, createdAt, credentialData, secretData }) => ({
            type,
            userLabel: label,
            createdDate: createdAt?.getTime(),
            credentialData,
            secretData,
          })),
          ...(password ? [{ type: 'password', value: password.value, temporary: password.temporary }] : []),
        ]
      : undefined;

/** An input in the form of the contract. */
export const userOf = (fields: UserFields) => ({
  username: fields.username,
  email: fields.email,
  emailVerified: fields.emailVerified,
  firstName: fields.firstName,
  lastName: fields.lastName,
  enabled: fields.enabled,
  attributes: attributeMap(fields.attributes),
  requiredActions: fields.requiredActions,
  credentials: credentialsOf(fields),
  // a password is set, never cleared
  ...(fields.password === null && { password: null }),
});

/** New users in the form of the contract, which names groups by path. */
export async function newUsersOf(ctx: Context, users: readonly NewUserFields[]) {
  const ids = users.map(({ groups }) => (groups ?? []).map((id) => parseId(id, 'groups', 'Group').id));
  const wanted = [...new Set(ids.flat())];
  const found =
    wanted.length === 0
      ? []
      : await ctx.db.group.findMany({ where: { id: { in: wanted } }, select: { id: true, path: true } });
  const paths = new Map(found.map(({ id, path }) => [id, path]));
  return users.map((fields, at) => ({
    ...userOf(fields),
    groups: (ids[at] ?? []).map((id) => {
      const path = paths.get(id);
      if (path === undefined) throw invalid('There is no such group', 'groups');
      return path;
    }),
    federatedIdentities: (fields.federatedIdentities ?? []).map(({ identityProvider, userId, username }) => ({
      identityProvider,
      userId,
      userName: username,
    })),
  }));
}
