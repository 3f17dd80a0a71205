import * as query from '../../services/clients/query.js';
import { builder } from '../core/builder.js';
import { AttributeFilter, combined, OrderDirection, StringFilter, textWhere } from '../core/filters.js';
import type { OrderKey } from '../core/page.js';

type TextTests = Parameters<typeof textWhere>[0];

export const ClientProtocol = builder.enumType('ClientProtocol', {
  description: 'Protocol of a client.',
  values: {
    OPENID_CONNECT: { value: 'openid-connect', description: 'OpenID Connect and OAuth 2.0.' },
    SAML: { value: 'saml', description: 'SAML 2.0 protocol.' },
  },
});

export interface ClientFilterValue {
  and?: ClientFilterValue[] | null;
  or?: ClientFilterValue[] | null;
  not?: ClientFilterValue | null;
  clientId?: TextTests | null;
  name?: TextTests | null;
  search?: string | null;
  isEnabled?: boolean | null;
  protocol?: string | null;
  isPublic?: boolean | null;
  isBearerOnly?: boolean | null;
  hasServiceAccount?: boolean | null;
  requiresConsent?: boolean | null;
  attribute?: { name: string; value?: TextTests | null } | null;
  scope?: string | null;
}

export const ClientFilter = builder.inputRef<ClientFilterValue>('ClientFilter').implement({
  description: 'Filter for clients. All given conditions must match.',
  fields: (t) => ({
    and: t.field({ type: [ClientFilter], description: 'Matches if every one of these filters matches.' }),
    or: t.field({ type: [ClientFilter], description: 'Matches if at least one of these filters matches.' }),
    not: t.field({ type: ClientFilter, description: 'Matches if this filter does not match.' }),
    clientId: t.field({ type: StringFilter, description: 'Condition on the clientId. Case-sensitive.' }),
    name: t.field({ type: StringFilter, description: 'Condition on the display name. Case-sensitive.' }),
    search: t.string({
      description: 'Matches clients whose clientId or display name contains this text. Case-insensitive.',
    }),
    isEnabled: t.boolean({ description: 'Matches clients that are (true) or are not (false) enabled.' }),
    protocol: t.field({ type: ClientProtocol, description: 'Matches clients of this protocol.' }),
    isPublic: t.boolean({ description: 'Matches clients that are (true) or are not (false) public.' }),
    isBearerOnly: t.boolean({ description: 'Matches clients that are (true) or are not (false) bearer-only.' }),
    hasServiceAccount: t.boolean({
      description: 'Matches clients that do (true) or do not (false) have a service account.',
    }),
    requiresConsent: t.boolean({
      description: 'Matches clients that do (true) or do not (false) require user consent.',
    }),
    attribute: t.field({ type: AttributeFilter, description: 'Matches clients with this attribute.' }),
    scope: t.string({
      description: 'Matches clients that have the client scope with this name, as default or optional scope.',
    }),
  }),
});

const attributeTest = ({ name, value }: NonNullable<ClientFilterValue['attribute']>): object =>
  query.attributeWhere(name, value ? textWhere(value) : undefined);

/** A client filter as the database understands it. */
export const clientWhere = (filter: ClientFilterValue): Record<string, unknown> => ({
  ...combined(filter, clientWhere),
  ...(filter.clientId && { clientId: textWhere(filter.clientId) }),
  ...(filter.name && { name: textWhere(filter.name) }),
  ...(filter.search && query.matching(filter.search)),
  ...(filter.isEnabled != null && { enabled: filter.isEnabled }),
  ...(filter.protocol != null && { protocol: filter.protocol }),
  ...(filter.isPublic != null && { publicClient: filter.isPublic }),
  ...(filter.isBearerOnly != null && { bearerOnly: filter.isBearerOnly }),
  ...(filter.hasServiceAccount != null && { serviceAccountsEnabled: filter.hasServiceAccount }),
  ...(filter.requiresConsent != null && { consentRequired: filter.requiresConsent }),
  ...(filter.attribute && attributeTest(filter.attribute)),
  ...(filter.scope != null && { scopes: { some: { clientScope: { name: filter.scope } } } }),
});

export interface ClientOrderValue {
  field: 'clientId' | 'name';
  direction?: 'ASC' | 'DESC' | null;
}

const ClientOrderField = builder.enumType('ClientOrderField', {
  description: 'Field by which clients can be ordered.',
  values: {
    CLIENT_ID: { value: 'clientId', description: 'Order by clientId.' },
    NAME: { value: 'name', description: 'Order by display name. Clients without one come last.' },
  },
});

export const ClientOrder = builder.inputRef<ClientOrderValue>('ClientOrder').implement({
  description: 'Order of clients.',
  fields: (t) => ({
    field: t.field({ type: ClientOrderField, required: true, description: 'Field to order by.' }),
    direction: t.field({ type: OrderDirection, description: 'Direction of the order. Default `ASC`.' }),
  }),
});

/** The columns of an order, ending with one that is unique. */
export function clientOrder(order: ClientOrderValue | null | undefined): OrderKey[] {
  const { field = 'clientId', direction } = order ?? {};
  const descending = direction === 'DESC';
  return [
    { path: field, descending, ...(field === 'name' && { nullable: true }) },
    { path: 'id', descending },
  ];
}
