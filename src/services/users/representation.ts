import {
  flag,
  type Input,
  int,
  list,
  listmap,
  long,
  multimap,
  older,
  record,
  representation,
  text,
  texts,
} from '../core/shape.js';

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
export type CredentialInput = Input<typeof CredentialRepresentation>;

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

/** UserRepresentation of the contract. `totp` is answered and accepted, but computed from the credentials. */
export const UserRepresentation = representation('UserRepresentation', {
  id: text,
  self: text,
  origin: text,
  createdTimestamp: long,
  username: text,
  enabled: flag,
  totp: flag,
  emailVerified: flag,
  firstName: text,
  lastName: text,
  email: text,
  federationLink: text,
  serviceAccountClientId: text,
  attributes: multimap,
  credentials: list(CredentialRepresentation),
  disableableCredentialTypes: texts,
  requiredActions: texts,
  federatedIdentities: list(FederatedIdentityRepresentation),
  socialLinks: older(list(SocialLinkRepresentation)),
  realmRoles: texts,
  clientRoles: listmap,
  applicationRoles: older(listmap),
  clientConsents: list(UserConsentRepresentation),
  notBefore: int,
  groups: texts,
  access: record(flag),
});
export type UserInput = Input<typeof UserRepresentation>;
