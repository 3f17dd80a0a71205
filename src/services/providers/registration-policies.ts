import { allMapperTypes } from './protocol-mappers.js';
import { type ProviderType, provider, setting } from './provider.js';

const mapperTypeIds = allMapperTypes.map(({ id }) => id).sort();

/** Policies for clients that register themselves. */
export const registrationPolicies: readonly ProviderType[] = [
  provider('allowed-client-templates', 'Restricts the client scopes of registered clients.', [
    setting('allow-default-scopes', 'boolean', { defaultValue: true }),
    setting('allowed-client-scopes', 'MultivaluedList'),
  ]),
  provider('allowed-protocol-mappers', 'Restricts the types of protocol mappers of registered clients.', [
    setting('allowed-protocol-mapper-types', 'MultivaluedList', { options: mapperTypeIds }),
  ]),
  provider('client-disabled', 'Disables new clients until an administrator enables them.', []),
  provider('consent-required', 'Requires user consent.', []),
  provider('max-clients', 'Limits the number of clients in the realm.', [
    setting('max-clients', 'String', { defaultValue: '200' }),
  ]),
  provider('scope', 'Requires clients without full scope.', []),
  provider('trusted-hosts', 'Restricts the hosts of senders and of client URIs.', [
    setting('client-uris-must-match', 'boolean', { defaultValue: 'true' }),
    setting('host-sending-registration-request-must-match', 'boolean', { defaultValue: 'true' }),
    setting('trusted-hosts', 'MultivaluedString'),
  ]),
];
