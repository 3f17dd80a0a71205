import type { Context } from '../../services/core/context.js';
import { refusedPart } from '../../services/core/patch.js';
import { invalid, refuseAll, requireAll, requireEach } from '../../services/core/refusal.js';
import { userFields } from '../../services/users/fields.js';
import { unknownActions } from '../../services/users/ignored.js';
import { builder } from '../core/builder.js';
import { AttributeInput, attributeChangeFields, attributeMap, attributePatch, listPatch } from '../core/filters.js';
import { parseIds } from '../core/node.js';
import { contractInput, creationInputs, inputNames, updateInputs } from '../core/resource-fields.js';
import { fieldNamed } from '../core/wire-names.js';

/** A password in an input. */
const PasswordInput = builder.inputType('PasswordInput', {
  description: 'A password to set for a user.',
  fields: (t) => ({
    value: t.string({ required: true, description: 'The password. Must meet the password policy of the realm.' }),
    isTemporary: t.boolean({
      description: 'Whether the user must change the password at the next login. Default false.',
    }),
  }),
});

const HashedCredentialInput = builder.inputType('HashedCredentialInput', {
  description: 'A credential created by another system, to be imported.',
  fields: (t) => ({
    type: t.string({ required: true, description: 'Type of the credential, e.g. `password` or `otp`.' }),
    label: t.string({ description: 'Label by which the user recognises the credential.' }),
    createdAt: t.field({ type: 'DateTime', description: 'Time at which the credential was created. Default: now.' }),
    credentialData: t.string({
      required: true,
      description: 'Public part of the credential as JSON, such as the hash algorithm.',
    }),
    secretData: t.string({
      required: true,
      description: 'Secret part of the credential as JSON. Cannot be read again.',
    }),
  }),
});

const FederatedIdentityInput = builder.inputType('FederatedIdentityInput', {
  description: 'A link from a user to an account at an identity provider.',
  fields: (t) => ({
    identityProviderAlias: t.string({
      required: true,
      description: 'Alias of the identity provider, as the user keeps it.',
    }),
    userId: t.string({ required: true, description: 'ID of the user at the identity provider.' }),
    username: t.string({ description: 'Username at the identity provider.' }),
  }),
});

type Fields = PothosSchemaTypes.InputFieldBuilder<(typeof builder)['$inferSchemaTypes'], 'InputObject'>;

const ownFields = (t: Fields) => ({
  attributes: t.field({ type: [AttributeInput], description: 'Custom attributes that replace all present ones.' }),
  requiredActions: t.stringList({ description: 'Aliases of required actions that replace all present ones.' }),
  password: t.field({ type: PasswordInput, description: 'Password to set for the user.' }),
  credentials: t.field({ type: [HashedCredentialInput], description: 'Credentials to import from another system.' }),
});

/** The input fields of a new user. */
export const newUserFields = (t: Fields) => ({
  ...creationInputs(t, userFields),
  ...ownFields(t),
  groups: t.idList({ description: 'IDs of the groups to join.' }),
  federatedIdentities: t.field({
    type: [FederatedIdentityInput],
    description: 'Links to accounts at identity providers.',
  }),
});

/** The input fields of an update of a user. */
export const changeInputs = (t: Fields) => ({
  ...updateInputs(t, userFields),
  ...ownFields(t),
});

export interface UserFields {
  attributes?: { name: string; values: string[] }[] | null;
  requiredActions?: string[] | null;
  password?: { value: string; isTemporary?: boolean | null } | null;
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
  federatedIdentities?: { identityProviderAlias: string; userId: string; username?: string | null }[] | null;
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
          ...(password ? [{ type: 'password', value: password.value, temporary: password.isTemporary }] : []),
        ]
      : undefined;

const nameOf = fieldNamed({ ...inputNames(userFields), createdTimestamp: 'createdAt' });

/** Path of an input field here, for one of the contract. Hash iterations are a part of the data of a credential. */
export const fieldOf = (field: string): string =>
  nameOf(field.replace(/^(credentials\.\d+)\.hashIterations$/, '$1.credentialData'));

/** An input in the form of the contract. */
const userOf = (fields: UserFields) => ({
  ...contractInput(userFields, fields),
  attributes: attributeMap(fields.attributes),
  requiredActions: fields.requiredActions,
  credentials: credentialsOf(fields),
  // a password is set, never cleared
  ...(fields.password === null && { password: null }),
});

/** The inputs of an update that change lists and attributes of a user in part. */
export const partialFields = (t: Fields) => ({
  ...attributeChangeFields(t),
  addRequiredActions: t.stringList({ description: 'Aliases of required actions to add to the present ones.' }),
  removeRequiredActions: t.stringList({ description: 'Aliases of required actions to remove.' }),
});

interface ChangedUser extends UserFields {
  setAttributes?: { name: string; values: string[] }[] | null;
  removeAttributes?: string[] | null;
  addRequiredActions?: string[] | null;
  removeRequiredActions?: string[] | null;
}

const requiredActionLists = { all: 'requiredActions', add: 'addRequiredActions', remove: 'removeRequiredActions' };

/** The changes of a user as a patch of the contract. */
export const userPatch = (fields: ChangedUser) => {
  const unknown = unknownActions(fields.addRequiredActions ?? [], requiredActionLists.add);
  return {
    ...userOf(fields),
    ...attributePatch(fields),
    ...listPatch(requiredActionLists, { ...fields }),
    ...(unknown.length > 0 && { [requiredActionLists.add]: refusedPart(unknown) }),
  };
};

/** New users of a realm in the form of the contract, which names groups by path. `place` is the path of the users in the input, if they are a list. */
export async function newUsersOf(ctx: Context, realmId: string, users: readonly NewUserFields[], place?: string) {
  const fieldAt = (user: number, field = 'groups') => (place === undefined ? field : `${place}.${user}.${field}`);
  const ids = new Map<number, string[]>();
  requireAll(
    ...users.flatMap(({ groups, requiredActions }, at) => [
      () => void ids.set(at, parseIds(groups ?? [], fieldAt(at), 'Group')),
      () => refuseAll(unknownActions(requiredActions ?? [], fieldAt(at, 'requiredActions'))),
    ]),
  );
  const wanted = [...new Set([...ids.values()].flat())];
  const found =
    wanted.length === 0
      ? []
      : await ctx.db.group.findMany({ where: { id: { in: wanted }, realmId }, select: { id: true, path: true } });
  const paths = new Map(found.map(({ id, path }) => [id, path]));
  requireAll(
    ...[...ids].map(([at, own]) => () => {
      requireEach(own, [...paths.keys()], (entry) => invalid('Group not found', `${fieldAt(at)}.${entry}`));
    }),
  );
  return users.map((fields, at) => ({
    ...userOf(fields),
    groups: ids.get(at)?.flatMap((id) => paths.get(id) ?? []),
    federatedIdentities: (fields.federatedIdentities ?? []).map(({ identityProviderAlias, userId, username }) => ({
      identityProvider: identityProviderAlias,
      userId,
      userName: username,
    })),
  }));
}
