import { identityProviderMapperView, identityProviderView } from '../services/identity-providers/encode.js';
import { providerByAlias } from '../services/identity-providers/locate.js';
import * as providers from '../services/identity-providers/operations.js';
import { create, remove, update } from '../services/identity-providers/write.js';
import { createdAt, pathSegment } from './answer.js';
import { all } from './paging.js';
import { below, child } from './place.js';
import { inRealm, realm } from './realm.js';
import { del, get, getList, post, put } from './table.js';

const provider = child(realm, '/identity-provider/instances/{alias}', (ctx, parent, { alias = '' }) =>
  providerByAlias(ctx, parent, alias),
);

export const identityProviderRoutes = [
  getList(below(inRealm, '/identity-provider/instances'), providers.listProviders, {
    full: identityProviderView,
    paging: all,
  }),
  post(below(inRealm, '/identity-provider/instances'), create, {
    status: 201,
    answer: ({ alias }) => createdAt(`identity-provider/instances/${pathSegment(alias)}`),
  }),
  get(provider, providers.get, { view: identityProviderView }),
  put(provider, update),
  del(provider, remove),
  getList(below(provider, '/mappers'), providers.listProviderMappers, {
    full: identityProviderMapperView,
    paging: all,
  }),
].flat();
