/** The kinds of protocol mappers that there are, by protocol, as the server information lists them. */
export const mapperTypes: Readonly<Record<string, readonly string[]>> = {
  'openid-connect': [
    'oidc-address-mapper',
    'oidc-allowed-origins-mapper',
    'oidc-audience-mapper',
    'oidc-audience-resolve-mapper',
    'oidc-claims-param-token-mapper',
    'oidc-full-name-mapper',
    'oidc-group-membership-mapper',
    'oidc-hardcoded-claim-mapper',
    'oidc-hardcoded-role-mapper',
    'oidc-role-name-mapper',
    'oidc-sha256-pairwise-sub-mapper',
    'oidc-usermodel-attribute-mapper',
    'oidc-usermodel-client-role-mapper',
    'oidc-usermodel-property-mapper',
    'oidc-usermodel-realm-role-mapper',
    'oidc-usersessionmodel-note-mapper',
  ],
  saml: [
    'saml-audience-mapper',
    'saml-audience-resolve-mapper',
    'saml-group-membership-mapper',
    'saml-hardcode-attribute-mapper',
    'saml-hardcode-role-mapper',
    'saml-javascript-mapper',
    'saml-role-list-mapper',
    'saml-role-name-mapper',
    'saml-user-attribute-mapper',
    'saml-user-attribute-nameid-mapper',
    'saml-user-property-mapper',
    'saml-user-session-note-mapper',
  ],
  'docker-v2': ['docker-v2-allow-all-mapper'],
};

const known = new Set(Object.values(mapperTypes).flat());

/** Whether there is such a mapper, of whichever protocol: the contract does not compare it with that of the mapper. */
export const isMapperType = (type: string | undefined): boolean => type !== undefined && known.has(type);
