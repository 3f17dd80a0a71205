import * as query from '../../services/clients/query.js';
import { builder } from '../core/builder.js';
import { AttributeFilter, combined, OrderDirection, StringFilter, textWhere } from '../core/filters.js';
import type { OrderKey } from '../core/page.js';

type TextTests = Parameters<typeof textWhere>[0];

export const ClientProtocol = builder.enumType('ClientProtocol', {
  description: 'How a client talks to the server.',
  values: {
    OPENID_CONNECT: { value: 'openid-connect', description: 'OpenID Connect, and OAuth 2.0 with it.' },
    SAML: { value: 'saml', description: 'SAML 2.0.' },
  },
});

export interface ClientFilterValue {
  and?: ClientFilterValue[] | null;
  or?: ClientFilterValue[] | null;
  not?: ClientFilterValue | null;
  clientId?: TextTests | null;
  name?: TextTests | null;
  search?: string | null;
  enabled?: boolean | null;
  protocol?: string | null;
  publicClient?: boolean | null;
  bearerOnly?: boolean | null;
  serviceAccounts?: boolean | null;
  consentRequired?: boolean | null;
  attribute?: { name: string; value?: TextTests | null } | null;
  scope?: string | null;
}

export const ClientFilter = builder.inputRef<ClientFilterValue>('ClientFilter').implement({
  description: 'Which clients; all tests that are given have to hold.',
  fields: (t) => ({
    and: t.field({ type: [ClientFilter], description: 'All of these.' }),
    or: t.field({ type: [ClientFilter], description: 'One of these.' }),
    not: t.field({ type: ClientFilter, description: 'Not this.' }),
    clientId: t.field({ type: StringFilter, description: 'Test of the clientId, with regard to case.' }),
    name: t.field({ type: StringFilter, description: 'Test of the name, with regard to case.' }),
    search: t.string({ description: 'Part of the clientId or name, whatever the case.' }),
    enabled: t.boolean({ description: 'Whether it may be used.' }),
    protocol: t.field({ type: ClientProtocol, description: 'How it talks to the server.' }),
    publicClient: t.boolean({ description: 'Whether it does without a secret.' }),
    bearerOnly: t.boolean({ description: 'Whether it only accepts tokens and never asks for one.' }),
    serviceAccounts: t.boolean({ description: 'Whether it acts for itself with a service account.' }),
    consentRequired: t.boolean({ description: 'Whether users are asked for consent.' }),
    attribute: t.field({ type: AttributeFilter, description: 'An attribute that it has.' }),
    scope: t.string({ description: 'Name of a client scope that it has, by default or on request.' }),
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
  ...(filter.enabled != null && { enabled: filter.enabled }),
  ...(filter.protocol != null && { protocol: filter.protocol }),
  ...(filter.publicClient != null && { publicClient: filter.publicClient }),
  ...(filter.bearerOnly != null && { bearerOnly: filter.bearerOnly }),
  ...(filter.serviceAccounts != null && { serviceAccountsEnabled: filter.serviceAccounts }),
  ...(filter.consentRequired != null && { consentRequired: filter.consentRequired }),
  ...(filter.attribute && attributeTest(filter.attribute)),
  ...(filter.scope != null && { scopes: { some: { clientScope: { name: filter.scope } } } }),
});

export interface ClientOrderValue {
  field: 'clientId' | 'name';
  direction?: 'ASC' | 'DESC' | null;
}

const ClientOrderField = builder.enumType('ClientOrderField', {
  description: 'What clients can be ordered by.',
  values: {
    CLIENT_ID: { value: 'clientId', description: 'By clientId.' },
    NAME: { value: 'name', description: 'By name; those without one come last.' },
  },
});

export const ClientOrder = builder.inputRef<ClientOrderValue>('ClientOrder').implement({
  description: 'The order of clients.',
  fields: (t) => ({
    field: t.field({ type: ClientOrderField, required: true, description: 'What to order by.' }),
    direction: t.field({ type: OrderDirection, description: 'Smallest first unless told.' }),
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
