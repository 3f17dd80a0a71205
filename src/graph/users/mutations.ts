import type { Context } from '../../services/core/context.js';
import { found, invalid, notFound } from '../../services/core/refusal.js';
import { consentOf, revokeConsent } from '../../services/users/consents.js';
import * as credentials from '../../services/users/credentials.js';
import { executeActionsEmail, sendVerifyEmail } from '../../services/users/emails.js';
import { joinGroups, leaveGroups } from '../../services/users/groups.js';
import { addIdentity, removeIdentity } from '../../services/users/identities.js';
import { type CredentialTarget, credentialById } from '../../services/users/locate.js';
import { createUser, patchUser, removeUser } from '../../services/users/operations.js';
import { nameFields } from '../core/change-names.js';
import { entriesOf } from '../core/input-path.js';
import { mutation } from '../core/mutation.js';
import { deletedIdOf, locatedNode, nodeId, parseId, parseIds } from '../core/node.js';
import { within } from '../core/texts.js';
import { fieldNamed } from '../core/wire-names.js';
import { realmTarget } from '../realms/mutations.js';
import { changeInputs, fieldOf, newUserFields, newUsersOf, partialFields, userPatch } from './inputs.js';
import { Credential, User, userTarget } from './users.js';

/** The credential with this ID and its user, for callers who may see the credentials of the user. */
async function credentialTarget(ctx: Context, id: string, field = 'id'): Promise<CredentialTarget> {
  const located = await locatedNode(ctx, id, field, 'Credential');
  const row = await ctx.db.credential.findUnique({ where: { id: located.id }, select: { userId: true } });
  const { userId } = found(row, 'Credential not found');
  return credentialById(ctx, await userTarget(ctx, nodeId('User', userId)), located.id);
}

nameFields('User', fieldOf);

const aUser = <R>(id: (result: R) => string | undefined) => ({
  user: { type: User, model: 'user', description: 'The user after the change.', id },
});
const theUser = aUser(({ id }: { id: string }) => id);

mutation('userCreate', {
  description: 'Creates a user with the default roles, default groups, and default required actions of the realm.',
  operation: createUser,
  input: (t) => ({ realm: t.id({ required: true, description: 'ID of the realm.' }), ...newUserFields(t) }),
  locate: ({ realm }, ctx) => realmTarget(ctx, realm, 'realm'),
  send: async ({ realm: _realm, ...fields }, ctx, { realm: { id } }) => (await newUsersOf(ctx, id, [fields]))[0],
  fieldOf,
  returns: theUser,
});

mutation('userUpdate', {
  description: 'Changes a user. Omitted fields keep their values; null clears a nullable field.',
  operation: patchUser,
  input: (t) => ({
    id: t.id({ required: true, description: 'ID of the user.' }),
    ...changeInputs(t),
    ...partialFields(t),
  }),
  locate: ({ id }, ctx) => userTarget(ctx, id),
  send: userPatch,
  fieldOf,
  returns: theUser,
});

mutation('userDelete', {
  description: 'Deletes a user with its credentials, sessions, and links.',
  operation: removeUser,
  input: (t) => ({ id: t.id({ required: true, description: 'ID of the user.' }) }),
  locate: ({ id }, ctx) => userTarget(ctx, id),
  values: {
    deletedId: { type: 'ID', description: 'ID of the deleted user.', of: ({ id }) => nodeId('User', id) },
  },
});

mutation('userSetPassword', {
  description: 'Sets the password of a user.',
  operation: credentials.setPassword,
  input: (t) => ({
    id: t.id({ required: true, description: 'ID of the user.' }),
    value: t.string({ required: true, description: 'The password. Must meet the password policy of the realm.' }),
    isTemporary: t.boolean({
      description: 'Whether the user must change the password at the next login. Default false.',
    }),
  }),
  locate: ({ id }, ctx) => userTarget(ctx, id),
  send: ({ value, isTemporary }) => ({ type: 'password', value, temporary: isTemporary }),
  returns: theUser,
});

mutation('userDisableCredentialTypes', {
  description:
    'Disables credentials of the given types in the user storage of a user. Local credentials must be deleted individually.',
  operation: credentials.disableCredentialTypes,
  input: (t) => ({
    id: t.id({ required: true, description: 'ID of the user.' }),
    types: t.stringList({ required: true, description: 'Types of the credentials, e.g. `password`.' }),
  }),
  locate: ({ id }, ctx) => userTarget(ctx, id),
  send: ({ types }) => types,
  fieldOf: entriesOf('types'),
  returns: theUser,
});

const userOfCredential = aUser(({ userId }: { userId: string }) => userId);
const theCredential = {
  credential: {
    type: Credential,
    model: 'credential',
    description: 'The credential after the change.',
    id: ({ id }: { id: string }) => id,
  },
  ...userOfCredential,
};

mutation('credentialDelete', {
  description: 'Deletes a credential of a user.',
  operation: credentials.removeCredential,
  input: (t) => ({ id: t.id({ required: true, description: 'ID of the credential.' }) }),
  locate: ({ id }, ctx) => credentialTarget(ctx, id),
  returns: userOfCredential,
  values: deletedIdOf('Credential', 'credential'),
});

mutation('credentialSetLabel', {
  description: 'Sets the label by which a user recognises a credential.',
  operation: credentials.setCredentialLabel,
  input: (t) => ({
    id: t.id({ required: true, description: 'ID of the credential.' }),
    label: t.string({ required: true, description: 'New label of the credential.' }),
  }),
  locate: ({ id }, ctx) => credentialTarget(ctx, id),
  send: ({ label }) => label,
  returns: theCredential,
});

mutation('credentialMove', {
  description: 'Moves a credential to the first position, or behind another credential of the same user.',
  operation: credentials.moveCredential,
  input: (t) => ({
    id: t.id({ required: true, description: 'ID of the credential.' }),
    after: t.id({ description: 'ID of the credential that then precedes the moved one. Omit for the first position.' }),
  }),
  locate: ({ id }, ctx) => credentialTarget(ctx, id),
  send: async ({ id, after }, ctx) => {
    if (after == null) return {};
    const [moved, previous] = [await credentialTarget(ctx, id), await credentialTarget(ctx, after, 'after')];
    if (moved.user.id !== previous.user.id) throw invalid('The credential belongs to another user', 'after');
    return { after: previous.credential.id };
  },
  returns: theCredential,
});

mutation('userAddFederatedIdentity', {
  description: 'Links a user to an account at an identity provider.',
  operation: addIdentity,
  input: (t) => ({
    id: t.id({ required: true, description: 'ID of the user.' }),
    identityProviderAlias: t.string({
      required: true,
      description: 'Alias of the identity provider, as the user keeps it.',
    }),
    userId: t.string({ required: true, description: 'ID of the user at the identity provider.' }),
    username: t.string({ description: 'Username at the identity provider.' }),
  }),
  locate: async ({ id, identityProviderAlias }, ctx) => ({
    ...(await userTarget(ctx, id)),
    provider: identityProviderAlias,
  }),
  fieldOf: fieldNamed({ identityProvider: 'identityProviderAlias', userName: 'username' }),
  send: ({ userId, username }) => ({ userId, userName: username }),
  returns: theUser,
});

mutation('userRemoveFederatedIdentity', {
  description: 'Removes the link of a user to an account at an identity provider.',
  operation: removeIdentity,
  input: (t) => ({
    id: t.id({ required: true, description: 'ID of the user.' }),
    identityProviderAlias: t.string({
      required: true,
      description: 'Alias of the identity provider, as the user keeps it.',
    }),
  }),
  locate: async ({ id, identityProviderAlias }, ctx) => ({
    ...(await userTarget(ctx, id)),
    provider: identityProviderAlias,
  }),
  returns: theUser,
});

for (const [name, operation, description] of [
  ['userJoinGroups', joinGroups, 'Adds a user to groups.'],
  ['userLeaveGroups', leaveGroups, 'Removes a user from groups.'],
] as const) {
  mutation(name, {
    description,
    operation,
    input: (t) => ({
      id: t.id({ required: true, description: 'ID of the user.' }),
      groups: t.idList({ required: true, description: 'IDs of the groups. They must belong to the same realm.' }),
    }),
    locate: ({ id }, ctx) => userTarget(ctx, id),
    send: ({ groups }) => ({ groups: parseIds(groups, 'groups', 'Group') }),
    returns: theUser,
  });
}

mutation('userRevokeConsent', {
  description: 'Revokes the consent that a user gave to a client.',
  operation: revokeConsent,
  input: (t) => ({
    id: t.id({ required: true, description: 'ID of the user.' }),
    client: t.id({ required: true, description: 'ID of the client.' }),
  }),
  locate: async ({ id, client }, ctx) => {
    const target = await userTarget(ctx, id);
    const parsed = parseId(client, 'client', 'Client');
    const known = await ctx.db.client.findFirst({
      where: { id: parsed.id, realmId: target.realm.id },
      select: { clientId: true },
    });
    if (!known) throw notFound('Client not found', 'client');
    return consentOf(ctx, target, known.clientId);
  },
  returns: theUser,
});

const mailFields = (t: Parameters<typeof newUserFields>[0]) => ({
  id: t.id({ required: true, description: 'ID of the user.' }),
  clientId: t.string({ description: 'clientId of the client to which the user returns. Default `account`.' }),
  redirectUri: t.string({ description: 'Redirect URI of the client to which the user returns.' }),
});

// a fault of the user's email address or state is a fault of the ID
const mailFieldOf = fieldNamed({ email: 'id', enabled: 'id' });

mutation('userSendVerifyEmail', {
  description: 'Sends a user an email with a link to verify the email address.',
  operation: sendVerifyEmail,
  input: mailFields,
  locate: ({ id }, ctx) => userTarget(ctx, id),
  send: ({ clientId, redirectUri }) => ({ clientId, redirectUri }),
  fieldOf: mailFieldOf,
  returns: theUser,
});

mutation('userSendActionsEmail', {
  description: 'Sends a user an email with a link to perform required actions.',
  operation: executeActionsEmail,
  input: (t) => ({
    ...mailFields(t),
    actions: t.stringList({ required: true, description: 'Aliases of the required actions.' }),
    lifespan: t.int({
      ...within(1),
      description: 'Seconds until the link expires. Default: `adminActionLifespan` of the realm.',
    }),
  }),
  locate: ({ id }, ctx) => userTarget(ctx, id),
  send: ({ clientId, redirectUri, actions, lifespan }) => ({ clientId, redirectUri, actions, lifespan }),
  fieldOf: mailFieldOf,
  returns: theUser,
});
