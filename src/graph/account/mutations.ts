import { giveConsent, ownConsentTo, revokeOwnConsent } from '../../services/account/consents.js';
import { labelOwnCredential, ownCredential, removeOwnCredential } from '../../services/account/credentials.js';
import { removeOwnLink } from '../../services/account/linked-accounts.js';
import { requireRoleFor } from '../../services/account/operation.js';
import { updateProfile } from '../../services/account/profile.js';
import { ownResource } from '../../services/account/resources.js';
import { endSession, endSessions } from '../../services/account/sessions.js';
import { shareResource } from '../../services/account/share-resource.js';
import type { Context } from '../../services/core/context.js';
import type { Operation } from '../../services/core/operation.js';
import { builder } from '../core/builder.js';
import { mutation } from '../core/mutation.js';
import { fieldNamed } from '../core/wire-names.js';
import { Account, callerAccount } from './account.js';

/** The account of the caller, for an operation. Refuses a missing role before it looks for objects. */
async function accountFor(ctx: Context, operation: Pick<Operation, 'name'>) {
  const account = await callerAccount(ctx);
  requireRoleFor(operation, account);
  return account;
}

const account = {
  type: Account,
  description: 'Account of the caller after the mutation.',
  of: (_result: unknown, ctx: Context) => callerAccount(ctx),
};

mutation('accountUpdate', {
  description: 'Changes the profile of the caller. A new email address is not verified, and told to the earlier one.',
  operation: updateProfile,
  input: (t) => ({
    username: t.string({ description: 'New username, if the realm lets users change it. Omit to keep it.' }),
    email: t.string({ required: true, description: 'Email address of the user.' }),
    firstName: t.string({ required: true, description: 'Given name of the user.' }),
    lastName: t.string({ required: true, description: 'Family name of the user.' }),
  }),
  locate: (_input, ctx) => accountFor(ctx, updateProfile),
  send: ({ username, email, firstName, lastName }) => ({
    ...(username != null && { username }),
    email,
    firstName,
    lastName,
  }),
  values: { account },
});

mutation('accountEndSession', {
  description: 'Ends a session of the caller. Does nothing if the caller has no such session.',
  operation: endSession,
  input: (t) => ({
    sessionId: t.string({ required: true, description: 'Session ID, as in `AccountSession.sessionId`.' }),
  }),
  locate: async ({ sessionId: sid }, ctx) => ({ ...(await accountFor(ctx, endSession)), session: { sid } }),
  values: {
    account,
    endedCount: { type: 'Int', description: 'Number of sessions that were ended.', of: ({ count }) => count },
  },
});

mutation('accountEndSessions', {
  description: 'Ends the other sessions of the caller, or all of them.',
  operation: endSessions,
  input: (t) => ({
    includesCurrent: t.boolean({ description: 'Whether the session of the request ends as well. Default false.' }),
  }),
  locate: (_input, ctx) => accountFor(ctx, endSessions),
  send: ({ includesCurrent }) => ({ current: includesCurrent ?? false }),
  fieldOf: fieldNamed({ current: 'includesCurrent' }),
  values: {
    account,
    endedCount: { type: 'Int', description: 'Number of sessions that were ended.', of: ({ count }) => count },
  },
});

const credentialUuid = 'ID of the credential, as in `AccountCredential.credentialUuid`.';

mutation('accountRemoveCredential', {
  description:
    'Deletes a device, key, or passkey of the caller. A password can only be replaced, and the last way to log in stays.',
  operation: removeOwnCredential,
  input: (t) => ({ credentialUuid: t.string({ required: true, description: credentialUuid }) }),
  locate: async ({ credentialUuid: id }, ctx) => ownCredential(ctx, await accountFor(ctx, removeOwnCredential), id),
  values: { account },
});

mutation('accountSetCredentialLabel', {
  description: 'Sets the label by which the caller recognises a credential.',
  operation: labelOwnCredential,
  input: (t) => ({
    credentialUuid: t.string({ required: true, description: credentialUuid }),
    label: t.string({
      required: true,
      extensions: { maxLength: 255 },
      description: 'New label. An empty text removes it. At most 255 characters.',
    }),
  }),
  locate: async ({ credentialUuid: id }, ctx) => ownCredential(ctx, await accountFor(ctx, labelOwnCredential), id),
  send: ({ label }) => label,
  fieldOf: () => 'label',
  values: { account },
});

mutation('accountRemoveLink', {
  description: 'Removes the link of the caller to an account at an identity provider. The last way to log in stays.',
  operation: removeOwnLink,
  input: (t) => ({
    identityProviderAlias: t.string({
      required: true,
      description: 'Alias of the identity provider at which the account is.',
    }),
  }),
  locate: async ({ identityProviderAlias: provider }, ctx) => ({
    ...(await accountFor(ctx, removeOwnLink)),
    provider,
  }),
  fieldOf: fieldNamed({ provider: 'identityProviderAlias' }),
  values: { account },
});

mutation('accountSetConsent', {
  description: 'Replaces the consent of the caller to a client: the client scopes that the client may use.',
  operation: giveConsent,
  input: (t) => ({
    clientId: t.string({ required: true, description: 'Client ID, as in authorization requests.' }),
    clientScopeUuids: t.stringList({
      required: true,
      description: 'IDs of client scopes of the client, as the REST API has them.',
    }),
  }),
  locate: async ({ clientId }, ctx) => ownConsentTo(ctx, await accountFor(ctx, giveConsent), clientId),
  send: ({ clientScopeUuids }) => ({ grantedScopes: clientScopeUuids.map((id) => ({ id })) }),
  fieldOf: fieldNamed({ grantedScopes: 'clientScopeUuids' }),
  values: { account },
});

mutation('accountRevokeConsent', {
  description: 'Revokes the consent of the caller to a client, and the offline tokens of the client for the caller.',
  operation: revokeOwnConsent,
  input: (t) => ({
    clientId: t.string({ required: true, description: 'Client ID, as in authorization requests.' }),
  }),
  locate: async ({ clientId }, ctx) => ownConsentTo(ctx, await accountFor(ctx, revokeOwnConsent), clientId),
  values: { account },
});

const ResourceUserInput = builder.inputType('AccountResourceUserInput', {
  description: 'What a user may do with a resource.',
  fields: (t) => ({
    username: t.string({ required: true, description: 'Username or email address of the other user.' }),
    scopeNames: t.stringList({
      required: true,
      description: 'Names of the scopes that the user may use. Empty: the user loses the access.',
    }),
  }),
});

mutation('accountSetResourceUsers', {
  description:
    'States which scopes of a resource of the caller some users may use, and grants their requests. Other users keep their access.',
  operation: shareResource,
  input: (t) => ({
    resourceUuid: t.string({
      required: true,
      description: 'ID of the resource, as in `AccountResource.resourceUuid`.',
    }),
    users: t.field({
      type: [ResourceUserInput],
      required: true,
      description: 'Users whose access changes, at most 100.',
    }),
  }),
  locate: async ({ resourceUuid: id }, ctx) => ownResource(ctx, await accountFor(ctx, shareResource), id),
  send: ({ users }) => users.map(({ username, scopeNames: scopes }) => ({ username, scopes })),
  fieldOf: (field) => (/^\d/.test(field) ? `users.${field.replace('.scopes', '.scopeNames')}` : field),
  values: { account },
});
