import type { Activity } from '../../services/account/activity.js';
import type { Application, OwnConsent } from '../../services/account/applications.js';
import type { CredentialContainer, OwnCredential } from '../../services/account/credentials.js';
import type { LinkedAccount } from '../../services/account/linked-accounts.js';
import type { OwnProfile } from '../../services/account/profile.js';
import type { SharedResource, SharedWith } from '../../services/account/resources.js';
import type { SessionOnDevice } from '../../services/account/sessions.js';
import { builder } from '../core/builder.js';

const fromSeconds = (seconds: number): Date => new Date(seconds * 1000);
const fromMilliseconds = (milliseconds: number | undefined): Date | null =>
  milliseconds === undefined ? null : new Date(milliseconds);

export const AccountProfile = builder.objectRef<OwnProfile>('AccountProfile').implement({
  description: 'What a user states about itself.',
  fields: (t) => ({
    username: t.exposeString('username', { description: 'Name with which the user logs in.' }),
    email: t.string({
      nullable: true,
      description: 'Email address. Null: the user has none.',
      resolve: ({ email }) => email ?? null,
    }),
    isEmailVerified: t.exposeBoolean('emailVerified', { description: 'Whether the user has confirmed the address.' }),
    firstName: t.string({
      nullable: true,
      description: 'Given name. Null: not stated.',
      resolve: ({ firstName }) => firstName ?? null,
    }),
    lastName: t.string({
      nullable: true,
      description: 'Family name. Null: not stated.',
      resolve: ({ lastName }) => lastName ?? null,
    }),
  }),
});

export const AccountSession = builder.objectRef<SessionOnDevice>('AccountSession').implement({
  description: 'A session of the caller, with the device of its login.',
  fields: (t) => ({
    sessionId: t.string({
      description: 'Session ID, as in the `sid` claim of tokens.',
      resolve: ({ session }) => session.id,
    }),
    isCurrent: t.boolean({
      description: 'Whether the token of the request belongs to this session.',
      resolve: ({ session }) => session.current ?? false,
    }),
    ipAddress: t.string({
      description: 'IP address that the login came from.',
      resolve: ({ session }) => session.ipAddress,
    }),
    browser: t.string({
      description: 'Browser of the login with its version, as it calls itself, e.g. `Firefox/128.0`.',
      resolve: ({ device }) => device.browser,
    }),
    operatingSystem: t.string({
      description: 'Operating system of the login, as the browser tells it.',
      resolve: ({ device }) => device.os,
    }),
    isMobile: t.boolean({
      description: 'Whether the browser tells that it runs on a phone or a tablet.',
      resolve: ({ device }) => device.mobile,
    }),
    startedAt: t.field({
      type: 'DateTime',
      description: 'Time of the login.',
      resolve: ({ session }) => fromSeconds(session.started),
    }),
    lastAccessAt: t.field({
      type: 'DateTime',
      description: 'Time at which the session was last used.',
      resolve: ({ session }) => fromSeconds(session.lastAccess),
    }),
    expiresAt: t.field({
      type: 'DateTime',
      description: 'Time at which the session ends at the latest.',
      resolve: ({ session }) => fromSeconds(session.expires),
    }),
    clientNames: t.stringList({
      description: 'Client IDs of the clients that take part in the session, at most 100.',
      resolve: ({ session }) => session.clients.map(({ clientId }) => clientId),
    }),
  }),
});

const AccountCredential = builder.objectRef<OwnCredential>('AccountCredential').implement({
  description: 'A credential of the caller, without secrets.',
  fields: (t) => ({
    credentialUuid: t.exposeString('id', { description: 'ID of the credential in the account API.' }),
    label: t.string({
      nullable: true,
      description: 'Label by which the user recognises the credential. Null: none.',
      resolve: ({ userLabel }) => userLabel ?? null,
    }),
    createdAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'Time at which the credential was created. Null: unknown.',
      resolve: ({ createdDate }) => fromMilliseconds(createdDate),
    }),
  }),
});

export const AccountCredentialType = builder.objectRef<CredentialContainer>('AccountCredentialType').implement({
  description: 'A type of credentials that the realm uses, with those that the caller has.',
  fields: (t) => ({
    type: t.exposeString('type', { description: 'Type of the credentials, e.g. `password`, `otp`, or `webauthn`.' }),
    category: t.exposeString('category', {
      description: 'Purpose of the credentials: `basic-authentication`, `two-factor`, or `passwordless`.',
    }),
    isRemovable: t.exposeBoolean('removeable', { description: 'Whether users can remove credentials of the type.' }),
    actionAlias: t.string({
      nullable: true,
      description:
        'Alias of the required action that adds or replaces a credential. A client requests it with `kc_action`. Null: users cannot add one.',
      resolve: ({ createAction, updateAction }) => createAction ?? updateAction ?? null,
    }),
    credentials: t.field({
      type: [AccountCredential],
      description: 'Credentials of the caller, in the order in which a login offers them.',
      resolve: ({ userCredentials }) => userCredentials ?? [],
    }),
  }),
});

export const AccountLink = builder.objectRef<LinkedAccount>('AccountLink').implement({
  description: 'An identity provider of the realm, with the account that the caller has linked.',
  fields: (t) => ({
    identityProviderAlias: t.exposeString('providerAlias', {
      description: 'Alias of the identity provider, which its addresses have.',
    }),
    displayName: t.exposeString('displayName', { description: 'Name of the identity provider on pages.' }),
    isLinked: t.exposeBoolean('connected', { description: 'Whether the caller has linked an account.' }),
    linkedUsername: t.string({
      nullable: true,
      description: 'Name of the linked account at the identity provider. Null: none, or unknown.',
      resolve: ({ linkedUsername }) => linkedUsername ?? null,
    }),
  }),
});

const AccountConsent = builder.objectRef<OwnConsent>('AccountConsent').implement({
  description: 'What the caller lets a client do.',
  fields: (t) => ({
    clientScopeNames: t.stringList({
      description: 'Names of the client scopes that the client may use.',
      resolve: ({ grantedScopes }) => grantedScopes.map(({ name }) => name),
    }),
    createdAt: t.field({
      type: 'DateTime',
      description: 'Time at which the consent was given.',
      resolve: ({ createdDate }) => new Date(createdDate),
    }),
    updatedAt: t.field({
      type: 'DateTime',
      description: 'Time at which the consent was last changed.',
      resolve: ({ lastUpdatedDate }) => new Date(lastUpdatedDate),
    }),
  }),
});

export const AccountApplication = builder.objectRef<Application>('AccountApplication').implement({
  description: 'A client that the caller uses, can always see, or has given a consent to.',
  fields: (t) => ({
    clientId: t.exposeString('clientId', { description: 'Client ID, as in authorization requests.' }),
    displayName: t.string({
      nullable: true,
      description: 'Name of the client for people. Null: it has none.',
      resolve: ({ clientName }) => clientName ?? null,
    }),
    url: t.string({
      nullable: true,
      description: 'Address of the first page of the client. Null: it has none.',
      resolve: ({ effectiveUrl }) => effectiveUrl ?? null,
    }),
    isInUse: t.exposeBoolean('inUse', { description: 'Whether the client takes part in a session of the caller.' }),
    hasOfflineAccess: t.exposeBoolean('offlineAccess', {
      description: 'Whether the client has an offline token for the caller.',
    }),
    consent: t.field({
      type: AccountConsent,
      nullable: true,
      description: 'Consent of the caller to the client. Null: none.',
      resolve: ({ consent }) => consent ?? null,
    }),
  }),
});

const AccountResourceUser = builder.objectRef<SharedWith>('AccountResourceUser').implement({
  description: 'A user who may use a resource of the caller, or asks for it.',
  fields: (t) => ({
    username: t.exposeString('username', { description: 'Name with which the other user logs in.' }),
    scopeNames: t.exposeStringList('scopes', {
      description: 'Names of the scopes that the user may use, or asks for.',
    }),
  }),
});

export const AccountResource = builder.objectRef<SharedResource>('AccountResource').implement({
  description: 'A resource that users share by User-Managed Access.',
  fields: (t) => ({
    resourceUuid: t.exposeString('_id', { description: 'ID of the resource in the account API.' }),
    name: t.exposeString('name', { description: 'Name of the resource, unique for its owner.' }),
    clientId: t.string({
      description: 'Client ID of the resource server.',
      resolve: ({ client }) => client.clientId,
    }),
    scopeNames: t.stringList({
      description: 'Names of the scopes of the resource that the caller may use or asks for.',
      resolve: ({ scopes = [] }) => scopes.map(({ name }) => name),
    }),
    users: t.field({
      type: [AccountResourceUser],
      description: 'Other users, in lists of resources that are shared with others or that others ask for.',
      resolve: ({ permissions }) => permissions ?? [],
    }),
  }),
});

export const AccountActivity = builder.objectRef<Activity>('AccountActivity').implement({
  description: 'Something that happened to the account of the caller.',
  fields: (t) => ({
    occurredAt: t.field({
      type: 'DateTime',
      description: 'Time of the event.',
      resolve: ({ time }) => new Date(time),
    }),
    type: t.exposeString('type', { description: 'Type of the login event, e.g. `LOGIN` or `UPDATE_PASSWORD`.' }),
    clientId: t.string({
      nullable: true,
      description: 'Client ID of the client that the user came from. Null: unknown.',
      resolve: ({ clientId }) => clientId ?? null,
    }),
    ipAddress: t.string({
      nullable: true,
      description: 'IP address that the request came from. Null: unknown.',
      resolve: ({ ipAddress }) => ipAddress ?? null,
    }),
    error: t.string({
      nullable: true,
      description: 'Reason of the failure. Null: nothing failed.',
      resolve: ({ error }) => error ?? null,
    }),
  }),
});
