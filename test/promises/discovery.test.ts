// @both-databases
import { decodeJwt } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { sampled } from '../support/sample.js';
import { requestByAddress, toldOfLogout } from './addresses.js';
import * as algorithms from './algorithms.js';
import * as flows from './flows.js';
import { answered, logIn, newClient, openWorld, shownBy, tokensFor, type World } from './world.js';

// Every member of the discovery documents, and every value of each, is used. One without a use fails by its name.

let world: World;
const documents: Record<string, Record<string, unknown>> = {};

beforeAll(async () => {
  world = await openWorld();
  for (const name of ['openid-configuration', 'uma2-configuration']) {
    documents[name] = (await (await fetch(`${world.issuer}/.well-known/${name}`)).json()) as Record<string, unknown>;
  }
});

/** Uses a member: each value of a list, or the value. */
interface MemberUse {
  each?: algorithms.Use;
  whole?: (world: World, value: unknown) => unknown;
}

const each = (use: algorithms.Use): MemberUse => ({ each: use });
const whole = (use: (world: World, value: unknown) => unknown): MemberUse => ({ whole: use });
const shown = (path: string, ...words: string[]): MemberUse => whole(shownBy(path, ...words));

/** An endpoint answers requests of this method, whatever it says to one without parameters. */
const endpoint = (method: 'GET' | 'POST'): MemberUse =>
  whole(async (_, address) => {
    expect(await statusOf(String(address), method)).toBeLessThan(500);
  });

async function statusOf(address: string, method: string): Promise<number> {
  const { status } = await fetch(address, { method, redirect: 'manual', ...(method === 'POST' && { body: '' }) });
  expect([404, 405], `${method} ${address}`).not.toContain(status);
  return status;
}

/** Uses algorithms for keys, with every algorithm for contents; a usual run takes two of them. */
const encryption = (use: (world: World, alg: string, enc: string) => Promise<void>, member: string): MemberUse =>
  each(async (at, alg) => {
    const contents = documents['openid-configuration']?.[member] as string[];
    for (const enc of sampled(contents, 2)) await use(at, alg, enc);
  });
const contents = (use: (world: World, alg: string, enc: string) => Promise<void>): MemberUse =>
  each((at, enc) => use(at, 'RSA-OAEP-256', enc));

const requestObjects = 'test/oauth/request-objects.test.ts';
const frontChannel = 'test/oauth/front-channel-logout.test.ts';
const tokens = { token: 'none' };
const account = { grant_type: 'client_credentials' };

const uses: Record<string, MemberUse> = {
  issuer: whole(async (at, issuer) => {
    const { access_token = '' } = await tokensFor(at, await newClient(at));
    expect(decodeJwt(access_token).iss).toBe(issuer);
  }),
  authorization_endpoint: endpoint('GET'),
  token_endpoint: endpoint('POST'),
  introspection_endpoint: endpoint('POST'),
  revocation_endpoint: endpoint('POST'),
  device_authorization_endpoint: endpoint('POST'),
  registration_endpoint: endpoint('POST'),
  userinfo_endpoint: endpoint('GET'),
  pushed_authorization_request_endpoint: endpoint('POST'),
  backchannel_authentication_endpoint: endpoint('POST'),
  end_session_endpoint: endpoint('GET'),
  jwks_uri: endpoint('GET'),
  check_session_iframe: endpoint('GET'),
  resource_registration_endpoint: endpoint('GET'),
  permission_endpoint: endpoint('POST'),
  policy_endpoint: endpoint('GET'),
  mtls_endpoint_aliases: whole((_, aliases) => {
    for (const [name, address] of Object.entries(aliases as object))
      expect([name, address]).toEqual([name, documents['openid-configuration']?.[name]]);
  }),
  grant_types_supported: each(flows.grantType),
  response_types_supported: each(flows.responseType),
  response_modes_supported: each(flows.responseMode),
  subject_types_supported: each(flows.subjectType),
  code_challenge_methods_supported: each(flows.challengeMethod),
  backchannel_token_delivery_modes_supported: each(flows.deliveryMode),
  backchannel_authentication_request_signing_alg_values_supported: each(flows.signedBackchannel),
  dpop_signing_alg_values_supported: each(flows.proof),
  claims_supported: each(flows.claim),
  scopes_supported: each(flows.scope),
  claim_types_supported: whole((_, types) => expect(types).toEqual(['normal'])),
  claims_parameter_supported: shown('test/login/requested-claims.test.ts', 'claims:'),
  acr_values_supported: each(async (_, value) => {
    expect(['silver', 'gold']).toContain(value);
    shownBy('test/login/levels.test.ts', 'acr_values', 'acr.loa.map')();
  }),
  id_token_signing_alg_values_supported: each(algorithms.signedIdToken),
  id_token_encryption_alg_values_supported: encryption(
    algorithms.encryptedIdToken,
    'id_token_encryption_enc_values_supported',
  ),
  id_token_encryption_enc_values_supported: contents(algorithms.encryptedIdToken),
  userinfo_signing_alg_values_supported: each(algorithms.signedUserInfo),
  userinfo_encryption_alg_values_supported: encryption(
    algorithms.encryptedUserInfo,
    'userinfo_encryption_enc_values_supported',
  ),
  userinfo_encryption_enc_values_supported: contents(algorithms.encryptedUserInfo),
  request_object_signing_alg_values_supported: each(algorithms.signedRequest),
  request_object_encryption_alg_values_supported: encryption(
    algorithms.encryptedRequest,
    'request_object_encryption_enc_values_supported',
  ),
  request_object_encryption_enc_values_supported: contents(algorithms.encryptedRequest),
  authorization_signing_alg_values_supported: each(algorithms.signedResponse),
  authorization_encryption_alg_values_supported: encryption(
    algorithms.encryptedResponse,
    'authorization_encryption_enc_values_supported',
  ),
  authorization_encryption_enc_values_supported: contents(algorithms.encryptedResponse),
  token_endpoint_auth_methods_supported: each(flows.authenticatedAt('token', account)),
  token_endpoint_auth_signing_alg_values_supported: each(algorithms.assertedAt('token', account)),
  introspection_endpoint_auth_methods_supported: each(flows.authenticatedAt('token/introspect', tokens)),
  introspection_endpoint_auth_signing_alg_values_supported: each(algorithms.assertedAt('token/introspect', tokens)),
  revocation_endpoint_auth_methods_supported: each(flows.authenticatedAt('revoke', tokens)),
  revocation_endpoint_auth_signing_alg_values_supported: each(algorithms.assertedAt('revoke', tokens)),
  tls_client_certificate_bound_access_tokens: whole(flows.boundToCertificate),
  authorization_response_iss_parameter_supported: whole(async (at) => {
    expect(answered(await logIn(at, await newClient(at))).iss).toBe(at.issuer);
  }),
  require_pushed_authorization_requests: whole((_, isRequired) => expect(isRequired).toBe(false)),
  request_parameter_supported: shown(requestObjects, 'request:'),
  request_uri_parameter_supported: whole(requestByAddress),
  require_request_uri_registration: whole(requestByAddress),
  frontchannel_logout_supported: shown(frontChannel, 'frontchannel.logout.url'),
  frontchannel_logout_session_supported: shown(frontChannel, 'sid'),
  backchannel_logout_supported: whole(toldOfLogout),
  backchannel_logout_session_supported: whole(toldOfLogout),
};

/** Lists of algorithms that one mechanism serves: a usual run uses some of them. */
const sweeps = /_alg_values_supported$|_enc_values_supported$/;

async function useMember(name: string, value: unknown): Promise<void> {
  const use = Object.hasOwn(uses, name) ? uses[name] : undefined;
  if (!use) throw new Error(`There is no use for the member ${name}`);
  await use.whole?.(world, value);
  if (!use.each) return;
  const values = value as string[];
  const taken = sweeps.test(name)
    ? sampled(values, /id_token_signing|request_object_signing/.test(name) ? 99 : 4)
    : values;
  for (const one of taken) {
    await use.each(world, one).catch((error: Error) => {
      throw new Error(`${name}: ${one}: ${error.message}`, { cause: error });
    });
  }
}

describe('discovery', () => {
  it.each(Object.keys(uses))('promises %s, and keeps it', async (name) => {
    const value = documents['openid-configuration']?.[name] ?? documents['uma2-configuration']?.[name];
    expect(value).toBeDefined();
    await useMember(name, value);
  });

  it('promises nothing else, also for UMA', () => {
    for (const document of Object.values(documents)) {
      expect(Object.keys(document).filter((name) => !Object.hasOwn(uses, name))).toEqual([]);
    }
    const [openid = {}, uma = {}] = Object.values(documents);
    for (const [name, value] of Object.entries(uma)) {
      if (!(name in openid)) continue;
      const [few, all] = [value, openid[name]].map((one) => [one].flat());
      expect(all).toEqual(expect.arrayContaining(few as unknown[]));
    }
  });
});
