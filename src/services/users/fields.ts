import type { Fields } from '../core/fields.js';
import { flag, int, list, listmap, long, multimap, older, record, representation, text, texts } from '../core/shape.js';

/** CredentialRepresentation of the contract, with `rawPassword` and the fields of exports older than stored credential data. */
export const CredentialRepresentation = representation('CredentialRepresentation', {
  id: text,
  type: text,
  userLabel: text,
  createdDate: long,
  secretData: text,
  credentialData: text,
  priority: int,
  value: text,
  rawPassword: text,
  temporary: flag,
  device: text,
  hashedSaltedValue: text,
  salt: text,
  hashIterations: int,
  counter: int,
  algorithm: text,
  digits: int,
  period: int,
  config: multimap,
});

/** FederatedIdentityRepresentation of the contract. */
export const FederatedIdentityRepresentation = representation('FederatedIdentityRepresentation', {
  identityProvider: text,
  userId: text,
  userName: text,
});

/** UserConsentRepresentation of the contract. */
export const UserConsentRepresentation = representation(
  'UserConsentRepresentation',
  {
    clientId: text,
    grantedClientScopes: texts,
    createdDate: long,
    lastUpdatedDate: long,
    grantedRealmRoles: older(texts),
  },
  'ignored',
);

/** SocialLinkRepresentation of the contract: a federated identity as older versions have it. */
const SocialLinkRepresentation = representation('SocialLinkRepresentation', {
  socialProvider: text,
  socialUserId: text,
  socialUsername: text,
});

/** The fields of a user. Names and the email address have rules of their own, so that updates write them by code. */
export const userFields = {
  id: { shape: text, isStored: true, isFixed: true, description: 'ID of the user.' },
  self: { shape: text },
  origin: { shape: text, description: 'ID of the user storage that the user comes from without being imported.' },
  createdTimestamp: { shape: long, description: 'Time at which the user was created, in milliseconds since 1970.' },
  username: {
    shape: text,
    isStored: true,
    isFixed: true,
    description:
      'Username, unique in the realm and stored in lower case. Optional for a new user if the realm uses the email address as username. A change is refused unless the realm allows it.',
    graph: { isOrdered: true },
  },
  email: {
    shape: text,
    isStored: true,
    isFixed: true,
    isNullable: true,
    description: 'Email address, stored in lower case.',
    graph: { isOrdered: true },
  },
  emailVerified: {
    shape: flag,
    isStored: true,
    initial: false,
    description: 'Whether the email address is verified.',
    graph: { name: 'isEmailVerified' },
  },
  firstName: {
    shape: text,
    isStored: true,
    isFixed: true,
    isNullable: true,
    description: 'First name of the user.',
    graph: { isFiltered: true, isOrdered: true },
  },
  lastName: {
    shape: text,
    isStored: true,
    isFixed: true,
    isNullable: true,
    description: 'Last name of the user.',
    graph: { isFiltered: true, isOrdered: true },
  },
  enabled: {
    shape: flag,
    isStored: true,
    initial: false,
    description: 'Whether the user can log in. Default for a new user: false.',
    graph: { name: 'isEnabled' },
  },
  totp: { shape: flag, description: 'Whether the user has a one-time password. Follows from the credentials.' },
  federationLink: { shape: text, description: 'ID of the user storage that the user was imported from.' },
  serviceAccountClientId: {
    shape: text,
    description: 'clientId of the client whose service account the user is, in files.',
  },
  attributes: { shape: multimap, description: 'Custom attributes of the user.' },
  credentials: { shape: list(CredentialRepresentation), description: 'Credentials to set or to import.' },
  disableableCredentialTypes: { shape: texts, description: 'Always an empty list.' },
  requiredActions: {
    shape: texts,
    description: 'Aliases of the actions that the user must perform at the next login.',
  },
  federatedIdentities: {
    shape: list(FederatedIdentityRepresentation),
    description: 'Links to accounts at identity providers.',
  },
  socialLinks: { shape: older(list(SocialLinkRepresentation)) },
  realmRoles: { shape: texts, description: 'Names of the realm roles of the user, in files.' },
  clientRoles: { shape: listmap, description: 'Names of the client roles of the user by clientId, in files.' },
  applicationRoles: { shape: older(listmap) },
  clientConsents: { shape: list(UserConsentRepresentation), description: 'Consents of the user to clients, in files.' },
  notBefore: {
    shape: int,
    description: 'Tokens of the user that were issued before this time are not valid, in seconds since 1970.',
  },
  groups: { shape: texts, description: 'Paths of the groups of the user, when it is created and in files.' },
  access: { shape: record(flag), description: 'Actions that the caller may perform on the user.' },
} as const satisfies Fields;
