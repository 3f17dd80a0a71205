import { type FieldLine, type FieldLines, fieldsOf, type Section } from '../parts/fields.js';
import type { Text } from '../text/text.js';
import type { ClientProtocol } from './documents.js';
import { texts } from './texts.js';

const section = (title: Text, lines: FieldLines<typeof texts>): Section => ({ title, fields: fieldsOf(texts, lines) });

const required = { isRequired: true };
const inherited = { hint: texts.secondsEmptyAsTheRealmHas } as const;

const general = section(texts.general, {
  clientId: ['text', required],
  name: ['text'],
  description: ['text'],
  kind: [['PUBLIC', 'CONFIDENTIAL', 'BEARER_ONLY'], required],
  isEnabled: ['flag'],
  isAlwaysDisplayedInConsole: ['flag', { hint: texts.isAlwaysDisplayedInConsoleHint }],
  allowsFullScope: ['flag', { hint: texts.allowsFullScopeHint }],
});

const addresses = section(texts.addresses, {
  redirectUris: ['lines', { hint: texts.redirectUrisHint }],
  webOrigins: [
    'lines',
    {
      hint: texts.webOriginsHint,
    },
  ],
  'urls.root': ['text', { hint: texts.rootHint }],
  'urls.base': ['text', { hint: texts.baseHint }],
  'urls.admin': ['text', { hint: texts.adminHint }],
});

const consent = section(texts.consent, {
  'consent.isRequired': ['flag'],
  'consent.isClientListed': ['flag', { hint: texts.isClientListedHint }],
  'consent.screenText': ['long'],
});

const openIdConnect: Section[] = [
  section(texts.flows, {
    'flows.isStandardEnabled': ['flag'],
    'flows.isServiceAccountEnabled': ['flag'],
    'flows.isDirectAccessEnabled': ['flag', { hint: texts.isDirectAccessEnabledHint }],
    'flows.isDeviceEnabled': ['flag', { hint: texts.isDeviceEnabledHint }],
    'flows.isCibaEnabled': [
      'flag',
      {
        hint: texts.isCibaEnabledHint,
      },
    ],
    'flows.isImplicitEnabled': ['flag', { hint: texts.isImplicitEnabledHint }],
    hasAuthorizationServices: ['flag', { hint: texts.hasAuthorizationServicesHint }],
    'authorizationRequests.requiresPushedRequests': ['flag'],
    'authorizationRequests.pkceMethod': [['S256', 'PLAIN'], { hint: texts.pkceMethodHint }],
  }),
  section(texts.authenticationOfTheClient, {
    'authentication.authenticator': [['client-secret', 'client-secret-jwt', 'client-jwt', 'client-x509']],
    'authentication.assertionAlgorithm': [
      ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'HS256', 'HS384', 'HS512'],
      { hint: texts.assertionAlgorithmHint },
    ],
    'authentication.certificateSubject': ['text'],
    'authentication.usesJwksUrl': ['flag'],
    'authentication.jwksUrl': ['text'],
    'authentication.usesJwks': ['flag'],
    'authentication.jwks': ['long'],
  }),
  section(texts.tokens, {
    'tokens.accessTokenLifespan': ['number', inherited],
    'tokens.sessionIdleTimeout': ['number', inherited],
    'tokens.sessionMaxLifespan': ['number', inherited],
    'tokens.usesRefreshTokens': ['flag'],
    'tokens.isCertificateBound': ['flag'],
  }),
  section(texts.logout, {
    'logout.backChannelUrl': ['text'],
    'logout.requiresBackChannelSession': ['flag', { hint: texts.requiresBackChannelSessionHint }],
    'logout.isFrontChannelEnabled': ['flag', { hint: texts.isFrontChannelEnabledHint }],
    'logout.revokesOfflineTokens': ['flag'],
  }),
];

const ofRealm = { target: 'flow', hint: texts.emptyTheFlowOfTheRealm } as const;
const browserFlow: FieldLine = ['target', ofRealm];

const flowOverrides = section(texts.authenticationFlows, {
  'flowOverrides.browser': browserFlow,
  'flowOverrides.directGrant': ['target', ofRealm],
});

const saml = section(texts.saml, {
  'saml.signsDocuments': ['flag'],
  'saml.signsAssertions': ['flag'],
  'saml.encryptsAssertions': ['flag'],
  'saml.requiresClientSignature': ['flag'],
  'saml.forcesPostBinding': ['flag'],
  'saml.nameIdFormat': [['USERNAME', 'EMAIL', 'TRANSIENT', 'PERSISTENT']],
  'saml.assertionConsumerPostUrl': ['text'],
  'saml.logoutPostUrl': ['text'],
});

/** The sections of the form of a client. */
export const sectionsOf = (protocol: ClientProtocol | null): Section[] =>
  protocol === 'SAML'
    ? [general, addresses, saml, section(flowOverrides.title, { 'flowOverrides.browser': browserFlow }), consent]
    : [general, addresses, ...openIdConnect, flowOverrides, consent];
