/** Where clients ask for tokens, and anybody for what is known of a realm, below `/auth/realms/{realm}`: method and path. */
export const tokenRoutes = [
  'GET ',
  'GET /.well-known/openid-configuration',
  'GET /.well-known/uma2-configuration',
  'GET /protocol/openid-connect/certs',
  'POST /protocol/openid-connect/token',
  'POST /protocol/openid-connect/token/introspect',
  'POST /protocol/openid-connect/revoke',
  'POST /protocol/openid-connect/auth/device',
  'POST /protocol/openid-connect/ext/par/request',
  'POST /protocol/openid-connect/ext/ciba/auth',
  'POST /protocol/openid-connect/ext/ciba/auth/callback',
  'POST /protocol/openid-connect/logout',
  'POST /protocol/openid-connect/logout/backchannel-logout',
  'GET /protocol/docker-v2/auth',
  'GET /broker/{alias}/token',
  'GET /protocol/openid-connect/userinfo',
  'POST /protocol/openid-connect/userinfo',
] as const;

/** Where browsers bring messages of SAML clients: method and path. */
export const samlLoginRoutes = [
  'GET /protocol/saml',
  'POST /protocol/saml',
  'GET /protocol/saml/clients/{name}',
  'GET /protocol/saml/continue',
  'POST /protocol/saml/resolve',
] as const;

/** Where browsers log in and out, and look at an account: method and path. */
export const loginRoutes = [
  ...samlLoginRoutes,
  'GET /protocol/openid-connect/auth',
  'POST /protocol/openid-connect/auth',
  'GET /login-actions/authenticate',
  'POST /login-actions/authenticate',
  'GET /protocol/openid-connect/registrations',
  'GET /protocol/openid-connect/forgot-credentials',
  'GET /login-actions/reset-credentials',
  'GET /login-actions/registration',
  'GET /login-actions/restart',
  'GET /login-actions/action-token',
  'GET /device',
  'POST /device',
  'GET /protocol/openid-connect/logout',
  'POST /login-actions/logout-confirm',
  'GET /account',
  'POST /account',
  'GET /account/{page}',
  'POST /account/{page}',
  'GET /broker/{alias}/login',
  'GET /broker/{alias}/endpoint',
  'POST /broker/{alias}/endpoint',
  'GET /broker/{alias}/endpoint/logout_request',
  'GET /broker/{alias}/endpoint/logout_response',
  'GET /broker/{alias}/link',
  'GET /protocol/openid-connect/login-status-iframe.html',
  'GET /protocol/openid-connect/login-status-iframe.html/init',
  'GET /protocol/openid-connect/3p-cookies/step1.html',
  'GET /protocol/openid-connect/3p-cookies/step2.html',
] as const;

/** Where SAML metadata is: method and path. */
const samlRoutes = ['GET /protocol/saml/descriptor', 'GET /broker/{alias}/endpoint/descriptor'] as const;

/** All addresses that take queries and forms. Those below `/auth/realms` that take JSON are in `oauthCallerTable`. */
export const publicRoutes: readonly string[] = [...tokenRoutes, ...loginRoutes, ...samlRoutes];
