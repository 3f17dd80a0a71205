import type { AdminEvent } from '../../services/core/audit.js';
import { builder } from '../core/builder.js';
import { nodeId } from '../core/node.js';

export const AdminEventRef = builder.objectRef<AdminEvent>('AdminEvent').implement({
  description: 'An admin event: the audit record of one change by an administrator.',
  fields: (t) => ({
    id: t.id({ description: 'ID of the admin event.', resolve: ({ id }) => nodeId('AdminEvent', id) }),
    time: t.field({
      type: 'DateTime',
      description: 'Time of the change.',
      resolve: ({ time }) => new Date(Number(time)),
    }),
    operation: t.exposeString('operation', { description: 'Name of the operation, e.g. `role.create`.' }),
    operationType: t.exposeString('operationType', {
      description: 'Kind of change: `CREATE`, `UPDATE`, `DELETE`, or `ACTION`.',
    }),
    resourceType: t.exposeString('resourceType', { description: 'Kind of the changed resource, e.g. `REALM_ROLE`.' }),
    resourcePath: t.exposeString('resourcePath', { description: 'Path of the changed resource within the realm.' }),
    representation: t.exposeString('representation', {
      nullable: true,
      description: 'JSON of the written data, without secrets. Null if the realm does not record details.',
    }),
  }),
});
