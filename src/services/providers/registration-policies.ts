import { allMapperTypes } from './protocol-mappers.js';
import { type ProviderType, provider, setting } from './provider.js';

const mapperTypeIds = allMapperTypes.map(({ id }) => id).sort();

/** Policies for clients that register themselves. */
export const registrationPolicies: readonly ProviderType[] = [
  provider('allowed-client-templates', 'Allows only certain client scopes.', [
    setting('allow-default-scopes', 'boolean', { defaultValue: true }),
    setting('allowed-client-scopes', 'MultivaluedList'),
  ]),
  provider('allowed-protocol-mappers', 'Allows only certain types of protocol mappers.', [
    setting('allowed-protocol-mapper-types', 'MultivaluedList', { options: mapperTypeIds }),
  ]),
  provider('client-disabled', 'Has new clients wait until an administrator enables them.', []),
  provider('consent-required', 'Has clients ask for consent.', []),
  provider('max-clients', 'Refuses more clients than the realm may have.', [
    setting('max-clients', 'String', { defaultValue: '200' }),
  ]),
  provider('scope', 'Has clients see only the roles in their scope.', []),
  provider('trusted-hosts', 'Allows only senders and addresses of certain hosts.', [
    setting('client-uris-must-match', 'boolean', { defaultValue: 'true' }),
    setting('host-sending-registration-request-must-match', 'boolean', { defaultValue: 'true' }),
    setting('trusted-hosts', 'MultivaluedString'),
  ]),
];
