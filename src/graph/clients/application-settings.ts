import { attribute, type ClientSetting, fieldSettings } from './setting-rows.js';

export const urls: readonly ClientSetting[] = [...fieldSettings('urls')];

export const logout: readonly ClientSetting[] = [
  ...fieldSettings('logout'),
  attribute(
    'frontChannelUrl',
    'frontchannel.logout.url',
    'text',
    'URL that the page of a logout loads in a frame, if `isFrontChannelEnabled`. Null: none.',
  ),
  attribute(
    'requiresFrontChannelSession',
    'frontchannel.logout.session.required',
    'flag',
    'Whether the front-channel logout URL is loaded with the issuer and the session ID. Default for a new client: true.',
    { standard: true },
  ),
  attribute(
    'backChannelUrl',
    'backchannel.logout.url',
    'text',
    'URL to which the server sends logout tokens. Null: none are sent.',
  ),
  attribute(
    'requiresBackChannelSession',
    'backchannel.logout.session.required',
    'flag',
    'Whether logout tokens contain the session ID. Default for a new client: true.',
    { standard: true },
  ),
  attribute(
    'revokesOfflineTokens',
    'backchannel.logout.revoke.offline.tokens',
    'flag',
    'Whether logout tokens tell the client to revoke offline access. Default for a new client: false.',
  ),
  attribute(
    'redirectUris',
    'post.logout.redirect.uris',
    'texts',
    'Addresses to which users may be sent after a logout. `+` stands for the redirect URIs of the client, `-` for no address. Empty: the redirect URIs of the client.',
  ),
];

export const consent: readonly ClientSetting[] = [
  ...fieldSettings('consent'),
  attribute(
    'isClientListed',
    'display.on.consent.screen',
    'flag',
    'Whether the consent screen lists `screenText` beside the client scopes. Default for a new client: false.',
  ),
  attribute(
    'screenText',
    'consent.screen.text',
    'text',
    'Text on the consent screen. Applies only if `isClientListed`. Null: none.',
  ),
  attribute('logoUri', 'logoUri', 'text', 'Address of the logo of the client. Null: none.'),
  attribute('policyUri', 'policyUri', 'text', 'Address of the privacy policy of the client. Null: none.'),
  attribute('termsOfServiceUri', 'tosUri', 'text', 'Address of the terms of service of the client. Null: none.'),
];

export const authentication: readonly ClientSetting[] = [
  ...fieldSettings('authentication'),
  attribute(
    'assertionAlgorithm',
    'token.endpoint.auth.signing.alg',
    { choice: 'SignatureAlgorithm' },
    'Signature algorithm of the JWT by which the client authenticates. Null: any.',
  ),
  attribute(
    'usesJwksUrl',
    'use.jwks.url',
    'flag',
    'Whether the keys of the client are read from `jwksUrl`. Default for a new client: false.',
  ),
  attribute('jwksUrl', 'jwks.url', 'text', 'Address of the JSON Web Key Set of the client. Null: none.'),
  attribute(
    'usesJwks',
    'use.jwks.string',
    'flag',
    'Whether the keys of the client are those of `jwks`. Default for a new client: false.',
  ),
  attribute('jwks', 'jwks.string', 'text', 'JSON Web Key Set of the client, as JSON. Null: none.'),
  attribute(
    'certificateSubject',
    'x509.subjectdn',
    'text',
    'Subject of the certificate by which the client authenticates: a regular expression for the whole subject, or a name as in RFC 4514 (`isCertificateSubjectPattern`). Null: none.',
  ),
  attribute(
    'isCertificateSubjectPattern',
    'x509.allow.regex.pattern.comparison',
    'flag',
    'Whether `certificateSubject` is a regular expression. Default for a new client: true.',
  ),
];

/** Settings that are fields of the client object. */
export const general: readonly ClientSetting[] = [
  ...fieldSettings('general'),
  attribute('loginTheme', 'login_theme', 'text', 'Name of the theme of the login pages. Null: that of the realm.'),
];
