import type { TokenContext } from '../tokens/context.js';
import { discovery, recordedGrants } from '../tokens/discovery.js';

const absent = new Set([
  'authorization_response_iss_parameter_supported',
  'dpop_signing_alg_values_supported',
  'userinfo_encryption_alg_values_supported',
  'userinfo_encryption_enc_values_supported',
  'check_session_iframe',
  'claim_types_supported',
  'claims_parameter_supported',
  'claims_supported',
  'code_challenge_methods_supported',
  'device_authorization_endpoint',
  'frontchannel_logout_session_supported',
  'frontchannel_logout_supported',
  'backchannel_authentication_endpoint',
  'backchannel_logout_session_supported',
  'backchannel_logout_supported',
  'backchannel_token_delivery_modes_supported',
  'introspection_endpoint_auth_methods_supported',
  'mtls_endpoint_aliases',
  'pushed_authorization_request_endpoint',
  'request_parameter_supported',
  'request_uri_parameter_supported',
  'require_pushed_authorization_requests',
  'require_request_uri_registration',
  'revocation_endpoint',
  'revocation_endpoint_auth_methods_supported',
  'subject_types_supported',
  'tls_client_certificate_bound_access_tokens',
  'userinfo_endpoint',
]);

/** The realm's authorization server metadata, UMA 2.0 Grant section 2. 404 for an unknown realm. */
export async function umaDiscovery(
  context: TokenContext,
  realmName: string,
  baseUrl: string,
): Promise<Record<string, unknown>> {
  const known = await discovery(context, realmName, baseUrl);
  const protection = `${known.issuer}/authz/protection`;
  return {
    ...Object.fromEntries(Object.entries(known).filter(([name]) => !absent.has(name))),
    grant_types_supported: recordedGrants,
    resource_registration_endpoint: `${protection}/resource_set`,
    permission_endpoint: `${protection}/permission`,
    policy_endpoint: `${protection}/uma-policy`,
  };
}
