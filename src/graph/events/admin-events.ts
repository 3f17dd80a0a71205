import { oneByOne } from '../../database/turns.js';
import type { AdminEvent } from '../../services/core/audit.js';
import { type AuditedObject, auditedObject } from '../../services/core/audited-object.js';
import { type ObjectChange, storedChanges } from '../../services/core/changes.js';
import type { Context } from '../../services/core/context.js';
import { isMaskedSetting } from '../../services/core/mask.js';
import { adminEventsOf } from '../../services/events/operations.js';
import { allOfAdminEvent, operationTypes, resourceTypes } from '../../services/events/representation.js';
import { typenameOf } from '../authorization/policy-kinds.js';
import { builder } from '../core/builder.js';
import { guardNode, nodeId } from '../core/node.js';
import { operationDescriptions, resourceDescriptions } from './event-descriptions.js';
import { eventsById } from './event-list.js';

export const AdminOperationType = builder.enumType('AdminOperationType', {
  description: 'Kind of change that an admin event records.',
  values: Object.fromEntries(operationTypes.map((type) => [type, { description: operationDescriptions[type] }])),
});

export const AdminResourceType = builder.enumType('AdminResourceType', {
  description: 'Kind of resource that an admin event is about.',
  values: Object.fromEntries(resourceTypes.map((type) => [type, { description: resourceDescriptions[type] }])),
});

const textOf = (value: unknown): string | null => (value == null ? null : JSON.stringify(value));

/** One queue of comparisons per request: the objects of a page can be large, and other requests run between them. */
const lines = new WeakMap<Context, ReturnType<typeof oneByOne>>();

function inLine(ctx: Context): ReturnType<typeof oneByOne> {
  const line = lines.get(ctx) ?? oneByOne();
  lines.set(ctx, line);
  return line;
}

/**
 * The object of an event. The ID is null if only a name is known; the type is undefined for a policy of an unknown
 * type.
 */
export const objectOf = (event: AdminEvent) => nodeOf(storedObject(event));

function storedObject(event: AdminEvent): AuditedObject {
  const { realmId, representation, before } = event;
  return auditedObject(realmId, event, () => JSON.parse(representation ?? before ?? 'null'));
}

function nodeOf({ type, id: known, policyType }: AuditedObject): { type: string | undefined; id: string | null } {
  const id = known ?? null;
  if (type !== 'AuthorizationPolicy') return { type, id };
  return { type: policyType === undefined ? undefined : typenameOf(policyType), id };
}

const idOf = ({ type, id }: ReturnType<typeof nodeOf>): string | null => (type && id ? nodeId(type, id) : null);

export const ChangeRef = builder.objectRef<ObjectChange>('Change').implement({
  description: 'A changed field of an object.',
  fields: (t) => ({
    resourceId: t.id({
      nullable: true,
      description:
        'ID of the object that the field belongs to. The object may have been deleted since. Null if only its name is known.',
      resolve: ({ object }) => (object ? idOf(nodeOf(object)) : null),
    }),
    path: t.exposeStringList('path', {
      description: 'Path of the field within the object, e.g. `["attributes", "department"]`.',
    }),
    before: t.string({
      nullable: true,
      description: 'JSON of the value before the change. A secret is masked. Null if the field was absent.',
      resolve: ({ before }) => textOf(before),
    }),
    after: t.string({
      nullable: true,
      description: 'JSON of the value after the change. A secret is masked. Null if the field is absent.',
      resolve: ({ after }) => textOf(after),
    }),
    isSecret: t.boolean({
      description: 'Whether the values are secrets, which are masked.',
      resolve: ({ before, after }) => isMaskedSetting(before) || isMaskedSetting(after),
    }),
  }),
});

const unrecorded = 'Null if the realm does not record details.';

export const AdminEventRef = builder.objectRef<AdminEvent>('AdminEvent');

builder.node(AdminEventRef, {
  id: { resolve: ({ id }) => id },
  loadManyWithoutCache: (ids, ctx) =>
    eventsById(
      ctx,
      'admin events',
      ids,
      async (wanted) =>
        (await ctx.db.adminEvent.findMany({ where: { id: { in: wanted } }, select: allOfAdminEvent })) as AdminEvent[],
    ),
  description: 'An admin event: the audit record of one change by an administrator.',
  fields: (t) => ({
    time: t.field({
      type: 'DateTime',
      description: 'Time of the change.',
      resolve: ({ time }) => new Date(Number(time)),
    }),
    operation: t.exposeString('operation', { description: 'Name of the operation, e.g. `role.create`.' }),
    operationType: t.field({
      type: AdminOperationType,
      description: 'Kind of change.',
      resolve: ({ operationType }) => operationType,
    }),
    resourceType: t.field({
      type: AdminResourceType,
      description: 'Kind of the changed resource.',
      resolve: ({ resourceType }) => resourceType,
    }),
    resourcePath: t.exposeString('resourcePath', { description: 'Path of the changed resource within the realm.' }),
    resourceId: t.id({
      nullable: true,
      description: 'ID of the object that the event is about. The object may have been deleted since.',
      resolve: (event) => idOf(objectOf(event)),
    }),
    before: t.exposeString('before', {
      nullable: true,
      description: `JSON of the object before the change, with masked secrets. Null if the operation does not record it. ${unrecorded}`,
    }),
    after: t.exposeString('representation', {
      nullable: true,
      description: `JSON of the written data, with masked secrets. Null if nothing was written, for example by a deletion. ${unrecorded}`,
    }),
    changes: t.field({
      type: [ChangeRef],
      nullable: true,
      description: `Fields that differ between \`before\` and \`after\`. Null if the operation does not record both. ${unrecorded}`,
      resolve: (event, _args, ctx) =>
        inLine(ctx)(() => {
          const object = storedObject(event);
          return storedChanges(event)?.map((change) => ({ ...change, object })) ?? null;
        }),
    }),
    isListed: t.exposeBoolean('listed', {
      description:
        'Whether the REST API lists the event: the realm recorded admin events, and the list was not cleared since.',
    }),
    actorId: t.id({
      nullable: true,
      description: 'ID of the user who made the change. The user may have been deleted since.',
      resolve: ({ authUserId }) => authUserId && nodeId('User', authUserId),
    }),
    actorRealmId: t.id({
      nullable: true,
      description: 'ID of the realm of the user who made the change.',
      resolve: ({ authRealmId }) => authRealmId && nodeId('Realm', authRealmId),
    }),
    clientId: t.exposeString('authClientId', {
      nullable: true,
      description: 'clientId of the client that made the request.',
    }),
    ipAddress: t.exposeString('authIpAddress', {
      nullable: true,
      description: 'IP address that the request came from.',
    }),
  }),
});

guardNode({ name: 'AdminEvent', modelName: 'AdminEvent' }, adminEventsOf);
