/** Fields of an account at an identity provider. Each lists names that are tried in order; a dot leads into an object. */
interface AccountFields {
  readonly id: readonly string[];
  readonly username: readonly string[];
  readonly email: readonly string[];
  readonly firstName: readonly string[];
  readonly lastName: readonly string[];
  /** full name, which is split if the others are missing */
  readonly name: readonly string[];
}

/** How logins with one kind of identity provider run. A setting of the provider takes precedence over an address. */
export interface ProviderKind {
  /** whether the provider speaks SAML 2.0, to which nothing of OAuth applies */
  readonly isSaml?: true;
  /** whether the provider issues ID tokens (OpenID Connect Core); otherwise only its profile says who the user is */
  readonly isOpenId: boolean;
  readonly authorizationUrl?: string;
  readonly tokenUrl?: string;
  /** address of the profile */
  readonly userInfoUrl?: string;
  readonly issuer?: string;
  readonly jwksUrl?: string;
  /** address of a list of email addresses, each with `email`, `primary`, and `verified` or `is_confirmed` */
  readonly emailsUrl?: string;
  /** scope of the request if the provider has no `defaultScope` */
  readonly scope: string;
  readonly usesPkce: boolean;
  /** whether the client authenticates with HTTP Basic if the provider does not say how */
  readonly usesBasic?: boolean;
  /** query parameters with which the profile is requested in place of the header `Authorization` */
  readonly profileParameters?: (token: string, settings: Readonly<Record<string, string>>) => Record<string, string>;
  readonly account: AccountFields;
}

const claims: AccountFields = {
  id: ['sub'],
  username: ['preferred_username', 'email', 'sub'],
  email: ['email'],
  firstName: ['given_name'],
  lastName: ['family_name'],
  name: ['name'],
};

const noFields: AccountFields = {
  id: ['id'],
  username: [],
  email: ['email'],
  firstName: [],
  lastName: [],
  name: ['name'],
};

const openId: ProviderKind = { isOpenId: true, scope: 'openid', usesPkce: true, account: claims };

const openShift: ProviderKind = {
  isOpenId: false,
  authorizationUrl: '{baseUrl}/oauth/authorize',
  tokenUrl: '{baseUrl}/oauth/token',
  scope: 'user:full',
  usesPkce: false,
  account: { ...noFields, id: ['metadata.uid'], username: ['metadata.name'], email: [], name: ['fullName'] },
};

const payPal = (host: string): Pick<ProviderKind, 'authorizationUrl' | 'tokenUrl' | 'userInfoUrl'> => ({
  authorizationUrl: `https://www.${host}/signin/authorize`,
  tokenUrl: `https://api.${host}/v1/oauth2/token`,
  userInfoUrl: `https://api.${host}/v1/identity/oauth2/userinfo?schema=paypalv1.1`,
});

const payPalKind: ProviderKind = {
  isOpenId: false,
  ...payPal('paypal.com'),
  scope: 'openid profile email',
  usesPkce: false,
  usesBasic: true,
  account: { ...claims, id: ['user_id'], username: ['email', 'user_id'] },
};

/** The kinds of identity providers, by `providerId`. The addresses are those of the providers' documentation. */
const kinds: ReadonlyMap<string, ProviderKind> = new Map<string, ProviderKind>([
  ['oidc', openId],
  ['keycloak-oidc', openId],
  ['saml', { isSaml: true, isOpenId: false, scope: '', usesPkce: false, account: noFields }],
  [
    'google',
    {
      ...openId,
      authorizationUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
      tokenUrl: 'https://oauth2.googleapis.com/token',
      userInfoUrl: 'https://openidconnect.googleapis.com/v1/userinfo',
      issuer: 'https://accounts.google.com',
      jwksUrl: 'https://www.googleapis.com/oauth2/v3/certs',
      scope: 'openid profile email',
      account: { ...claims, username: ['email', 'sub'] },
    },
  ],
  [
    'github',
    {
      isOpenId: false,
      authorizationUrl: '{baseUrl|https://github.com}/login/oauth/authorize',
      tokenUrl: '{baseUrl|https://github.com}/login/oauth/access_token',
      userInfoUrl: '{apiUrl|https://api.github.com}/user',
      emailsUrl: '{apiUrl|https://api.github.com}/user/emails',
      scope: 'user:email',
      usesPkce: true,
      account: { ...noFields, username: ['login'] },
    },
  ],
  [
    'gitlab',
    {
      isOpenId: false,
      authorizationUrl: '{baseUrl|https://gitlab.com}/oauth/authorize',
      tokenUrl: '{baseUrl|https://gitlab.com}/oauth/token',
      userInfoUrl: '{apiUrl|https://gitlab.com}/api/v4/user',
      scope: 'read_user',
      usesPkce: true,
      account: { ...noFields, username: ['username'] },
    },
  ],
  [
    'facebook',
    {
      isOpenId: false,
      authorizationUrl: 'https://www.facebook.com/dialog/oauth',
      tokenUrl: 'https://graph.facebook.com/oauth/access_token',
      userInfoUrl: 'https://graph.facebook.com/me?fields=id,name,email,first_name,last_name',
      scope: 'email',
      usesPkce: false,
      account: { ...noFields, username: ['email', 'id'], firstName: ['first_name'], lastName: ['last_name'] },
    },
  ],
  [
    'microsoft',
    {
      isOpenId: false,
      authorizationUrl: 'https://login.microsoftonline.com/common/oauth2/v2.0/authorize',
      tokenUrl: 'https://login.microsoftonline.com/common/oauth2/v2.0/token',
      userInfoUrl: 'https://graph.microsoft.com/v1.0/me',
      scope: 'User.read',
      usesPkce: true,
      account: {
        id: ['id'],
        username: ['userPrincipalName', 'mail'],
        email: ['mail', 'userPrincipalName'],
        firstName: ['givenName'],
        lastName: ['surname'],
        name: ['displayName'],
      },
    },
  ],
  [
    'linkedin',
    {
      isOpenId: false,
      authorizationUrl: 'https://www.linkedin.com/oauth/v2/authorization',
      tokenUrl: 'https://www.linkedin.com/oauth/v2/accessToken',
      userInfoUrl: 'https://api.linkedin.com/v2/userinfo',
      scope: 'openid profile email',
      usesPkce: false,
      account: { ...claims, username: ['email', 'sub'] },
    },
  ],
  [
    'bitbucket',
    {
      isOpenId: false,
      authorizationUrl: 'https://bitbucket.org/site/oauth2/authorize',
      tokenUrl: 'https://bitbucket.org/site/oauth2/access_token',
      userInfoUrl: 'https://api.bitbucket.org/2.0/user',
      emailsUrl: 'https://api.bitbucket.org/2.0/user/emails',
      scope: 'account email',
      usesPkce: false,
      account: { ...noFields, id: ['account_id', 'uuid'], username: ['username'], name: ['display_name'] },
    },
  ],
  [
    'twitter',
    {
      isOpenId: false,
      authorizationUrl: 'https://twitter.com/i/oauth2/authorize',
      tokenUrl: 'https://api.twitter.com/2/oauth2/token',
      userInfoUrl: 'https://api.twitter.com/2/users/me',
      scope: 'users.read tweet.read',
      usesPkce: true,
      usesBasic: true,
      account: { ...noFields, id: ['data.id'], username: ['data.username'], email: [], name: ['data.name'] },
    },
  ],
  [
    'instagram',
    {
      isOpenId: false,
      authorizationUrl: 'https://api.instagram.com/oauth/authorize',
      tokenUrl: 'https://api.instagram.com/oauth/access_token',
      userInfoUrl: 'https://graph.instagram.com/me?fields=id,username',
      scope: 'user_profile',
      usesPkce: false,
      profileParameters: (token) => ({ access_token: token }),
      account: { ...noFields, username: ['username'], email: [], name: [] },
    },
  ],
  ['paypal', payPalKind],
  [
    'stackoverflow',
    {
      isOpenId: false,
      authorizationUrl: 'https://stackoverflow.com/oauth',
      tokenUrl: 'https://stackoverflow.com/oauth/access_token/json',
      userInfoUrl: 'https://api.stackexchange.com/2.3/me?site=stackoverflow',
      scope: '',
      usesPkce: false,
      profileParameters: (token, { key = '' }) => ({ access_token: token, key }),
      account: {
        ...noFields,
        id: ['items.0.user_id'],
        username: ['items.0.user_id'],
        email: [],
        name: ['items.0.display_name'],
      },
    },
  ],
  ['openshift-v3', { ...openShift, userInfoUrl: '{baseUrl}/oapi/v1/users/~' }],
  ['openshift-v4', { ...openShift, userInfoUrl: '{baseUrl}/apis/user.openshift.io/v1/users/~' }],
]);

/** The kind of an identity provider; undefined for one that this server does not know. */
export function kindOf(providerId: string, settings: Readonly<Record<string, string>>): ProviderKind | undefined {
  const kind = kinds.get(providerId);
  if (kind === payPalKind && settings.sandbox === 'true') return { ...kind, ...payPal('sandbox.paypal.com') };
  return kind;
}

/** An address of a kind with the settings of the provider in place of `{name}` or `{name|standard}`. */
export const filledAddress = (address: string, settings: Readonly<Record<string, string>>): string =>
  address.replace(/\{(\w+)(?:\|([^}]*))?\}/g, (_, name: string, standard = '') =>
    (settings[name]?.trim() || standard).replace(/\/+$/, ''),
  );
