import type { AdminEvent } from '../../services/core/audit.js';
import { builder } from '../core/builder.js';
import { nodeId } from '../core/node.js';

export const AdminEventRef = builder.objectRef<AdminEvent>('AdminEvent').implement({
  description: 'The audit record of one write by an administrator.',
  fields: (t) => ({
    id: t.id({ description: 'Id of the record.', resolve: ({ id }) => nodeId('AdminEvent', id) }),
    time: t.field({
      type: 'DateTime',
      description: 'When it was written.',
      resolve: ({ time }) => new Date(Number(time)),
    }),
    operation: t.exposeString('operation', { description: 'Name of the operation, e.g. `role.create`.' }),
    operationType: t.exposeString('operationType', { description: 'CREATE, UPDATE, DELETE or ACTION.' }),
    resourceType: t.exposeString('resourceType', { description: 'Kind of the resource, e.g. REALM_ROLE.' }),
    resourcePath: t.exposeString('resourcePath', { description: 'Path of the resource within the realm.' }),
    representation: t.exposeString('representation', {
      nullable: true,
      description: 'JSON of what was written, without secrets, where the realm keeps details.',
    }),
  }),
});
