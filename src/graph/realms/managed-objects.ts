import type DataLoader from 'dataloader';
import { type Context, loader } from '../../services/core/context.js';
import { batchLoader } from '../../services/core/pace.js';
import { AuthenticationFlow } from '../authentication/flows.js';
import { RequiredAction } from '../authentication/required-actions.js';
import { ClientScope } from '../client-scopes/client-scopes.js';
import { Client } from '../clients/clients.js';
import { Component } from '../components/components.js';
import { addField } from '../core/field.js';
import { Group } from '../groups/groups.js';
import { IdentityProvider } from '../identity-providers/identity-providers.js';
import { Role } from '../roles/roles.js';
import { UserStorage } from '../user-storage/storages.js';
import { User } from '../users/users.js';
import { Webhook } from '../webhooks/webhooks.js';

interface Row {
  id: string;
  realmId: string;
}

/**
 * Loads whether files describe objects, for all objects of a request in one statement. Not cached, because a mutation
 * may end it.
 */
const managedObjects = (ctx: Context): DataLoader<Row, boolean> =>
  loader(ctx, 'managed objects', () => {
    const find = async (rows: readonly Row[]) => {
      const distinct = (values: string[]) => ({ in: [...new Set(values)] });
      const where = {
        realmId: distinct(rows.map(({ realmId }) => realmId)),
        objectId: distinct(rows.map(({ id }) => id)),
      };
      const found = await ctx.db.managedObject.findMany({ where, select: { realmId: true, objectId: true } });
      const managed = new Set(found.map(({ realmId, objectId }) => `${realmId} ${objectId}`));
      return rows.map(({ realmId, id }) => managed.has(`${realmId} ${id}`));
    };
    return batchLoader(ctx, find, { cache: false });
  });

/** The types of objects that files can describe. */
const described = [
  User,
  Group,
  Role,
  Client,
  ClientScope,
  IdentityProvider,
  AuthenticationFlow,
  RequiredAction,
  Component,
  UserStorage,
  Webhook,
];

for (const type of described)
  addField(type, 'isManaged', () => ({
    type: 'Boolean',
    description: 'Whether the file that the realm follows describes the object. `Realm.managed` is the file.',
    select: { id: true, realmId: true },
    resolve: (row: Row, _args: object, ctx: Context) => managedObjects(ctx).load(row),
  }));
