import type { AdminEvent } from '../../services/core/audit.js';
import { objectAt } from '../../services/core/audited-object.js';
import { type Change, storedChanges } from '../../services/core/changes.js';
import { members } from '../../services/core/json.js';
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

export const ChangeRef = builder.objectRef<Change>('Change').implement({
  description: 'A changed field of an object.',
  fields: (t) => ({
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
  }),
});

/** The type of a policy, if the event has details of it. */
function policyTypeIn({ representation, before }: AdminEvent): string | undefined {
  const { type } = members(JSON.parse(representation ?? before ?? 'null'));
  return typeof type === 'string' ? typenameOf(type) : undefined;
}

/** The object that an event is about. The id is null where only a name is known, the type undefined for a policy of a type that is not known. */
export function objectOf(event: AdminEvent): { type: string | undefined; id: string | null } {
  const { resourcePath, resourceId, realmId } = event;
  const { type } = objectAt(resourcePath);
  if (type === 'AuthorizationPolicy') return { type: policyTypeIn(event), id: resourceId };
  return { type, id: resourceId ?? (type === 'Realm' ? realmId : null) };
}

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
      resolve: (event) => {
        const { type, id } = objectOf(event);
        return type && id && nodeId(type, id);
      },
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
      resolve: (event) => storedChanges(event) ?? null,
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
