import { textsOf } from '../core/json.js';
import {
  attribute,
  badRequest,
  type ClientRequest,
  type Configuration,
  type Executor,
  isAutomatic,
  isOn,
  metadata,
  type Objection,
  type RequestObject,
} from './executor.js';
import { fapi2Executors } from './fapi-2-executors.js';
import { insecureField } from './secure-addresses.js';

const authenticatorNotAllowed = 'Configured client authentication method not allowed for client';
const allowedAuthenticators = (configuration: Configuration): string[] =>
  textsOf(configuration['allowed-client-authenticators']);

const strong = ['PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512'];

/** Has a client use only strong algorithms in these attributes; those that are not named get the default. */
const algorithms = (...names: string[]): Executor => ({
  configure: ({ isNew, proposed }, configuration) => {
    const standard = configuration['default-algorithm'];
    if (!isNew || typeof standard !== 'string' || !strong.includes(standard)) return undefined;
    const own = Object.fromEntries(names.map((name) => [name, proposed.attributes?.[name] || standard]));
    return { attributes: { ...proposed.attributes, ...own } };
  },
  check: ({ proposed }) => {
    const weak = names.find((name) => {
      const given = proposed.attributes?.[name];
      return given !== undefined && given !== '' && !strong.includes(given);
    });
    return weak === undefined ? undefined : metadata(`Algorithm not allowed: ${weak}`);
  },
});

/** Has requests for backchannel authentication (CIBA) contain a parameter. */
const backchannelNeeds = (name: string): Executor => ({
  request: ({ kind, parameters }) =>
    kind === 'backchannel' && !parameters.get(name) ? badRequest(`Missing parameter: ${name}`) : undefined,
});

const badObject = (text: string): Objection => ({ error: 'invalid_request_object', text });

/** Seconds for which a request object may be valid if the executor does not say. */
const standardPeriod = 3600;

/** Why a request object is not good enough for the executor `secure-request-object` (FAPI 1.0 part 2, section 5.2.2). */
function faultOfObject(
  { at = 0 }: ClientRequest,
  { claims, isEncrypted }: RequestObject,
  configuration: Configuration,
): Objection | undefined {
  const { exp, nbf, aud } = claims;
  if (typeof exp !== 'number') return badObject('Missing parameter in the request object: exp');
  if (isOn(configuration, 'verify-nbf', true)) {
    if (typeof nbf !== 'number') return badObject('Missing parameter in the request object: nbf');
    const period = Number(configuration['available-period']) || standardPeriod;
    if (nbf > at) return badObject('The request object is not valid yet');
    if (exp - nbf > period) return badObject(`The request object is valid for more than ${period} seconds`);
  }
  if (aud === undefined) return badObject('Missing parameter in the request object: aud');
  return isOn(configuration, 'encryption-required') && !isEncrypted
    ? badObject('The request object is not encrypted')
    : undefined;
}

/** Every executor that a profile can have, by its id. */
export const executors: ReadonlyMap<string, Executor> = new Map<string, Executor>([
  ...fapi2Executors,
  [
    'confidential-client',
    {
      check: ({ proposed }) =>
        proposed.publicClient || proposed.bearerOnly ? metadata('Only confidential clients are allowed') : undefined,
      request: ({ isPublic }) =>
        isPublic ? { error: 'invalid_client', text: 'invalid client access type' } : undefined,
    },
  ],
  [
    'consent-required',
    {
      configure: ({ isNew }) => (isNew ? { consentRequired: true } : undefined),
      check: ({ proposed }) => (proposed.consentRequired === false ? metadata('Consent is required') : undefined),
    },
  ],
  [
    'full-scope-disabled',
    {
      configure: ({ isNew, proposed }, configuration) =>
        isOn(configuration, 'auto-configure', true) && (isNew || proposed.fullScopeAllowed)
          ? { fullScopeAllowed: false }
          : undefined,
      check: ({ isNew, proposed }) =>
        proposed.fullScopeAllowed || (isNew && proposed.fullScopeAllowed === undefined)
          ? metadata('Full scope is not allowed')
          : undefined,
    },
  ],
  [
    'holder-of-key-enforcer',
    {
      ...attribute(
        'tls.client.certificate.bound.access.tokens',
        'true',
        'Tokens must be bound to the certificate of the client',
      ),
      // a client may be older than the policy
      request: ({ kind, isCertificateBound }) =>
        kind === 'token' && !isCertificateBound
          ? badRequest('Client Certification missing for MTLS HoK Token Binding')
          : undefined,
    },
  ],
  [
    'pkce-enforcer',
    {
      ...attribute('pkce.code.challenge.method', 'S256', 'The code challenge method S256 is required'),
      request: ({ kind, parameters }) =>
        kind === 'authorization' && !parameters.get('code_challenge')
          ? badRequest('Missing parameter: code_challenge')
          : kind === 'authorization' && parameters.get('code_challenge_method') !== 'S256'
            ? badRequest('Invalid parameter: code challenge method is not matching the configured one')
            : undefined,
    },
  ],
  ['secure-ciba-req-sig-algorithm', algorithms('ciba.backchannel.auth.request.signing.alg')],
  ['secure-ciba-session', backchannelNeeds('binding_message')],
  ['secure-ciba-signed-authn-req', backchannelNeeds('request')],
  [
    'secure-client-authenticator',
    {
      configure: ({ isNew, proposed }, configuration) => {
        const standard = configuration['default-client-authenticator'];
        const isOpen = proposed.publicClient || proposed.bearerOnly || proposed.clientAuthenticatorType;
        return isNew && !isOpen && typeof standard === 'string' ? { clientAuthenticatorType: standard } : undefined;
      },
      check: ({ isNew, proposed }, configuration) => {
        const given = proposed.clientAuthenticatorType;
        if (proposed.publicClient || proposed.bearerOnly || (given === undefined && !isNew)) return undefined;
        return allowedAuthenticators(configuration).includes(given ?? 'client-secret')
          ? undefined
          : metadata(authenticatorNotAllowed);
      },
      // a client may be older than the policy
      request: ({ kind, isPublic, authenticator }, configuration) =>
        kind === 'token' && !isPublic && !allowedAuthenticators(configuration).includes(authenticator)
          ? { error: 'invalid_client', text: authenticatorNotAllowed }
          : undefined,
    },
  ],
  [
    'secure-client-uris',
    {
      check: ({ proposed }) => {
        const field = insecureField(proposed);
        return field === undefined ? undefined : metadata(`Invalid ${field}`);
      },
      request: ({ kind, parameters }) => {
        const target = parameters.get('redirect_uri');
        return kind === 'authorization' && target && !target.startsWith('https://')
          ? badRequest('Invalid parameter: redirect_uri')
          : undefined;
      },
    },
  ],
  [
    'secure-request-object',
    {
      request: (request, configuration) => {
        const { kind, parameters, object } = request;
        if (kind !== 'authorization') return undefined;
        if (object) return faultOfObject(request, object, configuration);
        return parameters.has('request') || parameters.has('request_uri')
          ? badObject('The request object cannot be read')
          : badRequest("Missing parameter: 'request' or 'request_uri'");
      },
    },
  ],
  [
    'secure-response-type',
    {
      configure: ({ proposed }, configuration) =>
        isAutomatic(configuration)
          ? { attributes: { ...proposed.attributes, 'id.token.as.detached.signature': 'true' } }
          : undefined,
      request: ({ kind, parameters }, configuration) => {
        if (kind !== 'authorization') return undefined;
        const type = (parameters.get('response_type') ?? '').split(' ').sort().join(' ');
        const withToken = isOn(configuration, 'allow-token-response-type') && type === 'code id_token token';
        // an answer that is a token is as good as an ID token that protects it
        const isToken = type === 'code' && /^(\w+\.)?jwt$/.test(parameters.get('response_mode') ?? '');
        return type === 'code id_token' || withToken || isToken ? undefined : badRequest('invalid response_type');
      },
    },
  ],
  [
    'secure-session',
    {
      request: ({ kind, parameters }) => {
        if (kind !== 'authorization') return undefined;
        const isOpenid = (parameters.get('scope') ?? '').split(' ').includes('openid');
        const needed = isOpenid ? 'nonce' : 'state';
        return parameters.get(needed) ? undefined : badRequest(`Missing parameter: ${needed}`);
      },
    },
  ],
  [
    'secure-signature-algorithm',
    algorithms(
      'id.token.signed.response.alg',
      'user.info.response.signature.alg',
      'access.token.signed.response.alg',
      'request.object.signature.alg',
      'token.endpoint.auth.signing.alg',
    ),
  ],
  [
    'secure-signature-algorithm-signed-jwt',
    {
      request: ({ kind, assertionAlgorithm }, configuration) => {
        if (kind !== 'token') return undefined;
        if (assertionAlgorithm === undefined) {
          return isOn(configuration, 'require-client-assertion')
            ? badRequest('Missing parameter: client_assertion')
            : undefined;
        }
        return strong.includes(assertionAlgorithm) ? undefined : badRequest('not allowed signature algorithm.');
      },
    },
  ],
  ['use-lightweight-access-token', { answer: () => ({ lightweightTokens: true }) }],
]);
