import { perform } from '../../services/core/perform.js';
import { masterTarget } from '../../services/realms/operations.js';
import { serverInfo } from '../../services/server-info/operations.js';
import { builder } from '../core/builder.js';

type Info = Awaited<ReturnType<(typeof serverInfo)['run']>>;

const ServerInfo = builder.objectRef<Info>('ServerInfo').implement({
  description: 'What this server is and can do.',
  fields: (t) => ({
    version: t.string({
      description: 'Version of the contract that it serves.',
      resolve: ({ systemInfo }) => systemInfo.version,
    }),
    uptime: t.float({
      description: 'For how many seconds this process has been running.',
      resolve: ({ systemInfo }) => systemInfo.uptimeMillis / 1000,
    }),
    system: t.field({
      type: 'JSON',
      description: 'The process and the machine.',
      resolve: ({ systemInfo }) => systemInfo,
    }),
    memory: t.field({ type: 'JSON', description: 'Its memory, in bytes.', resolve: ({ memoryInfo }) => memoryInfo }),
    features: t.field({
      type: 'JSON',
      description: 'Providers, types of components and mappers with their settings, themes, password policies, enums.',
      complexity: { field: 20 },
      resolve: ({ systemInfo: _system, memoryInfo: _memory, ...features }) => features,
    }),
  }),
});

builder.queryField('serverInfo', (t) =>
  t.field({
    type: ServerInfo,
    nullable: true,
    description: 'What this server is and can do. For whoever administers any realm.',
    resolve: (_root, _args, ctx) => perform(ctx, serverInfo, masterTarget),
  }),
);
