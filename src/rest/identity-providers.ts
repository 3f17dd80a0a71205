import { z } from 'zod';
import { createdAt, json, noContent, pathSegment } from '../http/answer.js';
import { invalid } from '../services/core/refusal.js';
import { map, record } from '../services/core/shape.js';
import {
  briefIdentityProviderView,
  identityProviderMapperView,
  identityProviderView,
} from '../services/identity-providers/encode.js';
import { exportProvider } from '../services/identity-providers/export.js';
import { importConfig } from '../services/identity-providers/import-config.js';
import { providerByAlias } from '../services/identity-providers/locate.js';
import * as mappers from '../services/identity-providers/mappers.js';
import * as providers from '../services/identity-providers/operations.js';
import { create, patch, remove, update } from '../services/identity-providers/write.js';
import { IdentityProviderKind, IdentityProviderMapperType } from './answer-shapes.js';
import { all, each } from './paging.js';
import { below, child } from './place.js';
import { inRealm, realm } from './realm.js';
import type { RestRequest } from './request.js';
import { del, get, getList, mergePatch, post, postToRead, put } from './table.js';

const provider = child(realm, '/identity-provider/instances/{alias}', (ctx, parent, { alias = '' }) =>
  providerByAlias(ctx, parent, alias),
);

const mapper = child(provider, '/mappers/{id}', (ctx, parent, { id = '' }) =>
  mappers.providerMapperById(ctx, parent, id),
);

const kind = child(inRealm, '/identity-provider/providers/{provider_id}', (_ctx, parent, params) => ({
  ...parent,
  providerId: params.provider_id ?? '',
}));

/** A file in a form, or JSON that names an address. */
async function providerDocument(request: RestRequest): Promise<unknown> {
  if (!/^multipart\//i.test(request.headers['content-type'] ?? '')) return request.body();
  const { fields, bytes } = await request.upload();
  return { providerId: fields.providerId, document: bytes.toString('utf8') };
}

/** The contract wants the alias in every change of a mapper. */
async function withAlias(request: RestRequest): Promise<unknown> {
  const body = await request.body();
  const alias = (body as { identityProviderAlias?: unknown } | null)?.identityProviderAlias;
  if (!alias) throw invalid('`identityProviderAlias` is required', 'identityProviderAlias');
  return body;
}

export const identityProviderRoutes = [
  getList(below(inRealm, '/identity-provider/instances'), providers.listProviders, {
    brief: briefIdentityProviderView,
    full: identityProviderView,
    briefByDefault: false,
    paging: each(),
    query: ['search'],
    input: ({ query }) => ({ search: query.get('search') }),
  }),
  post(below(inRealm, '/identity-provider/instances'), create, {
    status: 201,
    answer: ({ alias }) => createdAt(`identity-provider/instances/${pathSegment(alias)}`),
  }),
  get(provider, providers.get, { view: identityProviderView }),
  put(provider, update),
  mergePatch(provider, patch),
  del(provider, remove),
  get(below(provider, '/export'), exportProvider, {
    returns: z.string(),
    media: 'application/xml',
    // whatever the sender takes, as recorded
    file: true,
    query: ['format'],
    answer: (metadata) =>
      metadata === undefined ? noContent : { status: 200, type: 'application/xml', body: metadata },
  }),
  get(below(provider, '/mapper-types'), mappers.mapperTypes, { returns: record(IdentityProviderMapperType) }),
  getList(below(provider, '/mappers'), providers.listProviderMappers, {
    full: identityProviderMapperView,
    paging: all,
  }),
  post(below(provider, '/mappers'), mappers.createMapper, {
    status: 201,
    answer: ({ id }, { params: { alias = '' } }) =>
      createdAt(`identity-provider/instances/${pathSegment(alias)}/mappers/${pathSegment(id)}`),
  }),
  get(mapper, mappers.getMapper, { view: identityProviderMapperView }),
  put(mapper, mappers.updateMapper, { input: withAlias, takes: 'json' }),
  mergePatch(mapper, mappers.patchMapper),
  del(mapper, mappers.removeMapper),
  // as recorded, an unknown kind is a refusal without a body
  get(kind, providers.getKind, {
    returns: IdentityProviderKind,
    answer: (found) => (found ? json(found) : { status: 400 }),
  }),
  postToRead(below(inRealm, '/identity-provider/import-config'), importConfig, {
    returns: map,
    input: providerDocument,
  }),
].flat();
