import { doors } from '../services/core/doors.js';
import { permitFor } from '../services/core/permit.js';
import { Refusal } from '../services/core/refusal.js';
import { realmByName } from '../services/realms/locate.js';
import { builder } from './builder.js';
import { guardNode } from './node.js';

export const Realm = builder.prismaNode('Realm', {
  id: { field: 'id' },
  select: { id: true },
  description: 'A tenant: users, clients and everything about them, apart from those of other realms.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Unique name, part of every address.' }),
    enabled: t.exposeBoolean('enabled', { description: 'Whether anyone can log in.' }),
    version: t.exposeInt('version', { description: 'Grows with every change; give it as expectedVersion.' }),
  }),
});

guardNode('Realm', 'Realm', 'query:realm');

builder.queryField('realm', (t) =>
  t.prismaField({
    type: Realm,
    nullable: true,
    description: `The realm of this name; null when it is not there or the caller may not see it. Takes one of ${doors['query:realm'].join(', ')}.`,
    args: { name: t.arg.string({ required: true, description: 'Name of the realm.' }) },
    resolve: async (query, _root, { name }, ctx) => {
      try {
        const realm = await realmByName(ctx, name);
        const permit = await permitFor(ctx, realm);
        if (!permit.can('query:realm')) return null;
        return ctx.db.realm.findUnique({ ...query, where: { id: realm.id } });
      } catch (error) {
        if (error instanceof Refusal && error.kind === 'notFound') return null;
        throw error;
      }
    },
  }),
);
