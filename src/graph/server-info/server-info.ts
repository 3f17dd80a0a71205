import { perform } from '../../services/core/perform.js';
import { masterTarget } from '../../services/realms/operations.js';
import { serverInfo } from '../../services/server-info/operations.js';
import { builder } from '../core/builder.js';

type Info = Awaited<ReturnType<(typeof serverInfo)['run']>>;

const ServerInfo = builder.objectRef<Info>('ServerInfo').implement({
  description: 'Version, process, and features of the server.',
  fields: (t) => ({
    version: t.string({
      description: 'Version of the REST API that the server implements.',
      resolve: ({ systemInfo }) => systemInfo.version,
    }),
    uptime: t.float({
      description: 'Seconds since the server process started.',
      resolve: ({ systemInfo }) => systemInfo.uptimeMillis / 1000,
    }),
    system: t.field({
      type: 'JSON',
      description: 'Information about the server process and its machine.',
      resolve: ({ systemInfo }) => systemInfo,
    }),
    memory: t.field({
      type: 'JSON',
      description: 'Memory of the server process, in bytes.',
      resolve: ({ memoryInfo }) => memoryInfo,
    }),
    features: t.field({
      type: 'JSON',
      description: 'Providers, component types, mapper types, themes, password policies, and enums of the server.',
      complexity: { field: 20 },
      resolve: ({ systemInfo: _system, memoryInfo: _memory, ...features }) => features,
    }),
  }),
});

builder.queryField('serverInfo', (t) =>
  t.field({
    type: ServerInfo,
    nullable: true,
    description: 'Version, process, and features of the server. Only for administrators of at least one realm.',
    resolve: (_root, _args, ctx) => perform(ctx, serverInfo, masterTarget),
  }),
);
