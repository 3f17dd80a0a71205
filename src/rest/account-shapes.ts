import { flag, int, json, list, long, multimap, representation, text, texts } from '../services/core/shape.js';

// What answers of the account API have: these shapes describe them in the OpenAPI document and decode nothing.

/** A profile with what forms show of its fields. */
export const AccountProfile = representation('UserProfileRepresentation', {
  id: text,
  username: text,
  firstName: text,
  lastName: text,
  email: text,
  emailVerified: flag,
  attributes: multimap,
  userProfileMetadata: representation('UserProfileMetadata', {
    attributes: list(
      representation('UserProfileAttributeMetadata', {
        name: text,
        displayName: text,
        required: flag,
        readOnly: flag,
        validators: json,
      }),
    ),
  }),
});

const consent = representation('AccountConsent', {
  grantedScopes: list(representation('AccountConsentScope', { id: text, name: text, displayTest: text })),
  createdDate: long,
  lastUpdatedDate: long,
});

/** A consent. */
export const AccountConsent = consent;

/** A client, as its users see it. */
export const AccountClient = representation('AccountClientRepresentation', {
  clientId: text,
  clientName: text,
  description: text,
  userConsentRequired: flag,
  inUse: flag,
  offlineAccess: flag,
  rootUrl: text,
  baseUrl: text,
  effectiveUrl: text,
  consent,
});

const session = {
  id: text,
  ipAddress: text,
  started: int,
  lastAccess: int,
  expires: int,
  browser: text,
  current: flag,
  clients: list(AccountClient),
};

/** A session; times are in seconds since 1970. */
export const AccountSession = representation('AccountSessionRepresentation', session);

/** A device with its sessions. */
export const AccountDevice = representation('DeviceRepresentation', {
  os: text,
  osVersion: text,
  device: text,
  mobile: flag,
  current: flag,
  lastAccess: int,
  sessions: list(AccountSession),
});

/** A type of credentials with those of the user. */
export const AccountCredentials = representation('CredentialContainer', {
  type: text,
  category: text,
  displayName: text,
  helptext: text,
  iconCssClass: text,
  createAction: text,
  updateAction: text,
  removeable: flag,
  userCredentials: list(
    representation('AccountCredential', {
      id: text,
      type: text,
      userLabel: text,
      createdDate: long,
      credentialData: text,
    }),
  ),
});

/** An identity provider with the linked account. */
export const LinkedAccount = representation('LinkedAccountRepresentation', {
  providerAlias: text,
  providerName: text,
  displayName: text,
  social: flag,
  connected: flag,
  linkedUsername: text,
});

/** Where a browser links an account. */
export const LinkUri = representation('AccountLinkUriRepresentation', {
  accountLinkUri: text,
  nonce: text,
  hash: text,
});

/** A user with whom a resource is shared, or who asks for it. */
export const ResourcePermission = representation('AccountResourceUser', {
  username: text,
  email: text,
  firstName: text,
  lastName: text,
  scopes: texts,
});

/** A resource of a user. */
export const AccountResource = representation('AccountResource', {
  _id: text,
  name: text,
  displayName: text,
  iconUri: text,
  uris: texts,
  scopes: list(representation('AccountResourceScope', { name: text, displayName: text, iconUri: text })),
  permissions: list(ResourcePermission),
  client: representation('AccountResourceClient', { clientId: text, name: text, baseUrl: text }),
});

/** The user with a username or an email address. */
export const AccountUser = representation('AccountUser', {
  id: text,
  username: text,
  email: text,
  firstName: text,
  lastName: text,
});
