import { keptEventTypes } from '../realms/defaults/events.js';

/** Types that are stored only if a realm names them. */
const onDemand = [
  'CLIENT_INFO',
  'IDENTITY_PROVIDER_LOGIN',
  'IDENTITY_PROVIDER_RESPONSE',
  'IDENTITY_PROVIDER_RETRIEVE_TOKEN',
  'INTROSPECT_TOKEN',
  'INVALID_SIGNATURE',
  'PUSHED_AUTHORIZATION_REQUEST',
  'REFRESH_TOKEN',
  'REGISTER_NODE',
  'UNREGISTER_NODE',
  'USER_INFO_REQUEST',
  'VALIDATE_ACCESS_TOKEN',
].flatMap((type) => [type, `${type}_ERROR`]);

/** Every type of login event in the contract, in alphabetical order. */
export const eventTypes: readonly string[] = [...keptEventTypes, 'PERMISSION_TOKEN_ERROR', ...onDemand].sort();
