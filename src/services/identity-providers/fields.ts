import type { Fields } from '../core/fields.js';
import { flag, ignored, map, plainFlag, shortText, text } from '../core/shape.js';

const off = { shape: plainFlag, isStored: true, initial: false } as const;

/** The fields of an identity provider. `internalId` and `updateProfileFirstLoginMode` are not documented, but sent and answered. */
export const identityProviderFields = {
  alias: {
    shape: shortText,
    isStored: true,
    description: 'Alias of the identity provider, unique in the realm. Part of its URLs.',
    graph: { isRequired: true, isFiltered: true, isOrdered: true },
  },
  displayName: {
    shape: shortText,
    isStored: true,
    isNullable: true,
    isReplaced: true,
    description: 'Display name of the identity provider on the login page.',
    graph: { isFiltered: true, isOrdered: true },
  },
  internalId: { shape: text, description: 'ID of the identity provider.' },
  providerId: {
    shape: text,
    isStored: true,
    isFixed: true,
    description: 'Type of the identity provider, e.g. `oidc` or `saml`.',
  },
  enabled: {
    shape: plainFlag,
    isStored: true,
    initial: true,
    description: 'Whether users can log in with the identity provider. Default true.',
    graph: { name: 'isEnabled' },
  },
  updateProfileFirstLoginMode: { shape: text, isStored: true, initial: 'on', isNullable: true, isReplaced: true },
  updateProfileFirstLogin: { shape: ignored },
  trustEmail: {
    ...off,
    description: 'Whether email addresses from the identity provider count as verified.',
    graph: { name: 'trustsEmail' },
  },
  storeToken: {
    ...off,
    description: 'Whether tokens from the identity provider are stored.',
    graph: { name: 'storesToken' },
  },
  addReadTokenRoleOnCreate: {
    ...off,
    description: 'Whether new users get the role to read the stored tokens.',
    graph: { name: 'grantsReadTokenRole' },
  },
  authenticateByDefault: {
    ...off,
    description:
      'Stored for other tools, without effect. The setting `defaultProvider` of the step `identity-provider-redirector` sends users to a provider before the login page is shown.',
    graph: { name: 'isTriedByDefault' },
  },
  linkOnly: {
    ...off,
    description: 'Whether the identity provider can only be linked to existing accounts, not used for login.',
    graph: { name: 'isLinkOnly' },
  },
  hideOnLogin: {
    shape: flag,
    description: 'Whether the login page leaves the identity provider out. Stored as the setting `hideOnLoginPage`.',
  },
  firstBrokerLoginFlowAlias: {
    shape: text,
    isStored: true,
    isNullable: true,
    isReplaced: true,
    description: 'Alias of the flow for the first login of a user with this identity provider.',
    graph: { name: 'firstLoginFlowAlias', inputs: 'none' },
  },
  postBrokerLoginFlowAlias: {
    shape: text,
    isStored: true,
    isNullable: true,
    isReplaced: true,
    description: 'Alias of the flow that runs after each login with this identity provider. Null: none.',
    graph: { name: 'postLoginFlowAlias', inputs: 'none' },
  },
  config: { shape: map, description: 'Settings of the identity provider, by name. Secrets are masked.' },
} as const satisfies Fields;
