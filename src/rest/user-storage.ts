import { type Answer, json } from '../http/answer.js';
import { list } from '../services/core/shape.js';
import * as connection from '../services/user-storage/connection-operations.js';
import { mapperById, storageAnywhere, storageById } from '../services/user-storage/locate.js';
import * as storage from '../services/user-storage/operations.js';
import { SynchronizationResult } from '../services/user-storage/representation.js';
import { LdapCapability, NamedThing } from './answer-shapes.js';
import { at, below, child, either } from './place.js';
import { inRealm, realm } from './realm.js';
import type { RestRequest } from './request.js';
import { get, post, postToRead } from './table.js';

const found = child(realm, '/user-storage/{id}', (ctx, parent, { id = '' }) => storageById(ctx, parent, id));

const name = either(
  below(found, '/name'),
  // other tools know this one only below the realm
  at('/{id}/name', (ctx, { id = '' }) => storageAnywhere(ctx, id)),
);

const mapper = child(realm, '/user-storage/{parentId}/mappers/{id}/sync', (ctx, parent, { parentId = '', id = '' }) =>
  mapperById(ctx, parent, parentId, id),
);

const resultOf = ({ result, status }: storage.Synchronised): Answer => json({ ...result, status });

/** A form or JSON: consoles send either. */
async function testSettings(request: RestRequest): Promise<unknown> {
  const isForm = request.headers['content-type']?.startsWith('application/x-www-form-urlencoded');
  if (!isForm) return request.body();
  return Object.fromEntries(new URLSearchParams(await request.text('application/x-www-form-urlencoded')));
}

export const userStorageRoutes = [
  get(name, storage.storageName, { returns: NamedThing }),
  post(below(found, '/sync'), storage.sync, {
    query: ['action'],
    input: ({ query }) => ({ action: query.get('action') }),
    answer: resultOf,
    returns: SynchronizationResult,
  }),
  post(below(found, '/unlink-users'), storage.unlinkUsers),
  post(below(found, '/remove-imported-users'), storage.removeImportedUsers),
  post(mapper, storage.mapperSync, {
    query: ['direction'],
    input: ({ query }) => ({ direction: query.get('direction') }),
    answer: resultOf,
    returns: SynchronizationResult,
  }),
  post(below(inRealm, '/testLDAPConnection'), connection.testConnection, { input: testSettings, takes: 'json' }),
  postToRead(below(inRealm, '/ldap-server-capabilities'), connection.capabilities, {
    returns: list(LdapCapability),
    input: (request) => request.body(),
  }),
].flat();
