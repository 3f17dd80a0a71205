import * as query from '../../services/clients/query.js';
import { builder } from '../core/builder.js';
import { AttributeFilter, textWhere } from '../core/filters.js';
import { condition, listType, named, onOptionalText, onText, whether } from '../core/list-type.js';

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
    clientId: onText('clientId', 'Condition on the clientId. Case-sensitive.'),
    name: onOptionalText('name', 'Condition on the display name. Case-sensitive.'),
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
  orders: {
    CLIENT_ID: { path: 'clientId', description: 'Order by clientId.' },
    NAME: { path: 'name', isNullable: true, description: 'Order by display name.' },
  },
});
