import { secret } from './planted.js';

export const realm = 'vault';
export const callback = 'http://app.example/callback';

export const password = (value: string) => ({ type: 'password', value });
const otp = (value: string) => ({
  type: 'otp',
  secretData: JSON.stringify({ value }),
  credentialData: JSON.stringify({ subType: 'totp', digits: 6, period: 30, algorithm: 'HmacSHA1' }),
});

/** A realm that has a secret in every place for one. */
export const representation = () => ({
  realm,
  enabled: true,
  eventsEnabled: true,
  adminEventsEnabled: true,
  adminEventsDetailsEnabled: true,
  passwordPolicy: 'length(8)',
  smtpServer: {
    host: '127.0.0.1',
    port: '1',
    from: 'id@vault.example',
    auth: 'true',
    user: 'id',
    password: secret('smtp'),
  },
  users: [{ username: 'ann', enabled: true, credentials: [password(secret('ann')), otp(secret('otp'))] }],
  clients: [
    { clientId: 'app', secret: secret('client'), serviceAccountsEnabled: true, redirectUris: [callback] },
    { clientId: 'page', publicClient: true, directAccessGrantsEnabled: true, redirectUris: [callback] },
  ],
  identityProviders: [
    {
      alias: 'corp',
      providerId: 'oidc',
      config: { clientId: 'us', clientSecret: secret('idp'), tokenUrl: 'https://idp.example/token' },
    },
  ],
  eventsExpiration: 3600,
  enabledEventTypes: [
    'LOGIN',
    'LOGIN_ERROR',
    'CLIENT_LOGIN',
    'CLIENT_LOGIN_ERROR',
    'REFRESH_TOKEN_ERROR',
    'CODE_TO_TOKEN_ERROR',
    'INTROSPECT_TOKEN_ERROR',
    'UPDATE_PASSWORD',
  ],
});
