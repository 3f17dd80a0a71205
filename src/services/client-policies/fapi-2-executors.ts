import {
  attribute,
  badRequest,
  type Configuration,
  type Executor,
  isAutomatic,
  isOn,
  metadata,
  type Proposed,
} from './executor.js';

/** Has clients not have a flow: switched off where the profile may do so, refused otherwise. */
const withoutFlow = (flow: 'implicitFlowEnabled' | 'directAccessGrantsEnabled', text: string): Executor => ({
  configure: ({ proposed }, configuration): Partial<Proposed> | undefined =>
    isAutomatic(configuration) && proposed[flow] ? { [flow]: false } : undefined,
  check: ({ proposed }) => (proposed[flow] ? metadata(text) : undefined),
});

/** Most seconds that a code is valid if the executor does not say (FAPI 2.0 Security Profile, section 5.3.2.1). */
const standardCodeLifespan = 60;

const nonceRequired = attribute('dpop.nonce.required', 'true', 'Proofs must contain a nonce of the server');
const keyBound = attribute('dpop.bound.access.tokens', 'true', 'Tokens must be bound to a key');
const wantsNonce = (configuration: Configuration): boolean => isOn(configuration, 'require-nonce');

/** The executors that the profiles of FAPI 2.0 need besides those of FAPI 1.0, by their ids. */
export const fapi2Executors: readonly (readonly [string, Executor])[] = [
  [
    'dpop-bind-enforcer',
    {
      configure: ({ isNew, proposed }, configuration) => {
        const bound = { ...proposed, ...keyBound.configure?.({ isNew, proposed }, configuration) };
        if (!wantsNonce(configuration)) return bound;
        return { ...bound, ...nonceRequired.configure?.({ isNew, proposed: bound }, configuration) };
      },
      check: (write, configuration) =>
        keyBound.check?.(write, configuration) ??
        (wantsNonce(configuration) ? nonceRequired.check?.(write, configuration) : undefined),
      // a client may be older than the policy
      request: ({ kind, proof }, configuration) => {
        if (kind !== 'token') return undefined;
        if (!proof) return { error: 'invalid_dpop_proof', text: 'DPoP proof is missing' };
        return wantsNonce(configuration) && !proof.hasNonce
          ? { error: 'use_dpop_nonce', text: 'DPoP proof has no nonce' }
          : undefined;
      },
    },
  ],
  [
    'reject-implicit-grant',
    {
      ...withoutFlow('implicitFlowEnabled', 'The implicit flow is not allowed'),
      request: ({ kind, parameters }) => {
        const types = (parameters.get('response_type') ?? '').split(' ');
        return kind === 'authorization' && (types.includes('token') || types.includes('id_token'))
          ? badRequest('Implicit/Hybrid flow is prohibited.')
          : undefined;
      },
    },
  ],
  [
    'reject-ropc-grant',
    {
      ...withoutFlow('directAccessGrantsEnabled', 'Direct access grants are not allowed'),
      request: ({ kind, parameters }) =>
        kind === 'token' && parameters.get('grant_type') === 'password'
          ? { error: 'invalid_grant', text: 'resource owner password credentials grant is prohibited.' }
          : undefined,
    },
  ],
  [
    'secure-authorization-response',
    {
      answer: (configuration) => ({
        codeLifespan: Number(configuration['code-lifespan']) || standardCodeLifespan,
        namesIssuer: true,
      }),
    },
  ],
  [
    'secure-par-content',
    {
      request: ({ kind, isPushed, parameters }) => {
        if (kind !== 'authorization') return undefined;
        if (!isPushed) return badRequest('PAR request_uri not included.');
        return parameters.get('redirect_uri')
          ? undefined
          : badRequest("PAR is required to have a 'redirect_uri' parameter");
      },
    },
  ],
];
