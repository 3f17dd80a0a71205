import { clientFields } from '../../services/clients/fields.js';
import * as query from '../../services/clients/query.js';
import { builder } from '../core/builder.js';
import { AttributeFilter, textWhere } from '../core/filters.js';
import { condition, listType, named, whether } from '../core/list-type.js';
import { fieldConditions, fieldOrders } from '../core/resource-fields.js';

export const ClientProtocol = builder.enumType('ClientProtocol', {
  description: 'Protocol of a client.',
  values: {
    OPENID_CONNECT: { value: 'openid-connect', description: 'OpenID Connect and OAuth 2.0.' },
    SAML: { value: 'saml', description: 'SAML 2.0 protocol.' },
  },
});

/** The filter and the orders of all lists of clients. */
export const clientList = listType({
  name: 'Client',
  plural: 'clients',
  conditions: {
    ...fieldConditions(clientFields),
    search: named('Matches clients whose clientId or display name contains this text. Case-insensitive.', (text) =>
      text ? query.matching(text) : {},
    ),
    isEnabled: whether('Matches clients that are (true) or are not (false) enabled.', (enabled) => ({ enabled })),
    protocol: condition(ClientProtocol, 'Matches clients of this protocol.', (protocol) => ({ protocol })),
    isPublic: whether('Matches clients that are (true) or are not (false) public.', (publicClient) => ({
      publicClient,
    })),
    isBearerOnly: whether('Matches clients that are (true) or are not (false) bearer-only.', (bearerOnly) => ({
      bearerOnly,
    })),
    hasServiceAccount: whether(
      'Matches clients that do (true) or do not (false) have a service account.',
      (serviceAccountsEnabled) => ({ serviceAccountsEnabled }),
    ),
    requiresConsent: whether(
      'Matches clients that do (true) or do not (false) require user consent.',
      (consentRequired) => ({ consentRequired }),
    ),
    attribute: condition(AttributeFilter, 'Matches clients with this attribute.', ({ name, value }) =>
      query.attributeWhere(name, value ? textWhere(value) : undefined),
    ),
    clientScopeName: named(
      'Matches clients that have the client scope with this name, as default or optional scope.',
      (scope) => ({ scopes: { some: { clientScope: { name: scope } } } }),
    ),
  },
  orders: fieldOrders(clientFields),
});
