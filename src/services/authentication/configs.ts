import { mask } from '../core/mask.js';
import { read, write } from '../core/operation.js';
import { patchOf } from '../core/patch.js';
import { found, invalid, notFound } from '../core/refusal.js';
import type { Sealer } from '../core/seal.js';
import type { RowOfRealm } from '../core/sealed-columns.js';
import { authenticatorConfigSelect, encodeAuthenticatorConfig } from './encode.js';
import { inLine, touchedFlows } from './flows.js';
import type { ConfigTarget, ExecutionTarget } from './locate.js';
import { isSecretSetting, sealedSettings } from './provider-settings.js';
import { AuthenticatorConfigRepresentation } from './representation.js';

type Config = Record<string, string>;

/** The settings to store, without empty ones. The mask of a secret stands for the stored one. */
function stored(row: RowOfRealm, config: Config = {}, sealer: Sealer, before: Config = {}): Config {
  const given = Object.entries(config).filter(([, value]) => value !== '');
  const isKept = ([name, value]: [string, string]) => value === mask && isSecretSetting(name);
  const kept = given.filter(isKept).flatMap(([name]) => (before[name] === undefined ? [] : [[name, before[name]]]));
  const others = Object.fromEntries(given.filter((entry) => !isKept(entry)));
  return { ...sealedSettings(row, others, sealer), ...Object.fromEntries(kept) };
}

const touched = (config: { id: string }) => `authenticator-config:${config.id}`;

export const createConfig = write({
  name: 'authenticatorConfig.create',
  summary: 'Creates a configuration for an execution and replaces the one it had.',
  input: AuthenticatorConfigRepresentation,
  allow: 'manage:realm',
  queue: inLine,
  lock: ({ execution }: ExecutionTarget) => ({ model: 'AuthenticationFlow', id: execution.flowId }),
  run: async (tx, { realm, execution }: ExecutionTarget, { alias, config }, { ctx }) => {
    if (!alias) throw invalid('Alias missing', 'alias');
    const id = ctx.services.newId();
    const row = { id, alias, config: stored({ id, realmId: realm.id }, config, ctx.services.sealer) };
    await tx.authenticatorConfig.createMany({ data: { ...row, realmId: realm.id } });
    await tx.later.authenticationExecution.updateMany({ where: { id: execution.id }, data: { configId: row.id } });
    await tx.later.authenticationFlow.updateMany({
      where: { id: execution.flowId },
      data: { version: { increment: 1 } },
    });
    return row;
  },
  event: (row, { execution }) => ({
    operationType: 'CREATE',
    resourceType: 'AUTH_EXECUTION',
    resourcePath: `authentication/executions/${execution.id}/config`,
    partOf: [execution.flowId],
    representation: encodeAuthenticatorConfig(row),
  }),
  touches: (row, target) => [...touchedFlows(target.execution.flowId)(target), touched(row)],
});

export const getConfig = read({
  name: 'authenticatorConfig.get',
  summary: 'Returns an authenticator configuration.',
  allow: 'view:realm',
  run: async (_ctx, { config }: ConfigTarget) => config,
});

export const updateConfig = write({
  name: 'authenticatorConfig.update',
  summary: 'Renames an authenticator configuration and replaces its settings.',
  input: AuthenticatorConfigRepresentation,
  allow: 'manage:realm',
  lock: ({ config }: ConfigTarget) => ({ model: 'AuthenticatorConfig', id: config.id }),
  refresh: async (tx, target: ConfigTarget) => {
    const { id } = target.config;
    const config = await tx.authenticatorConfig.findUnique({ where: { id }, select: authenticatorConfigSelect });
    return { ...target, config: found(config, 'Could not find authenticator config') };
  },
  run: async (tx, { realm, config: before }: ConfigTarget, { alias, config }, { ctx }) => {
    const row = {
      id: before.id,
      alias: alias || before.alias,
      config: stored({ id: before.id, realmId: realm.id }, config, ctx.services.sealer, before.config as Config),
    };
    const { count } = await tx.authenticatorConfig.updateMany({
      where: { id: row.id },
      data: { alias: row.alias, config: row.config, version: { increment: 1 } },
    });
    if (count === 0) throw notFound('Could not find authenticator config');
    return row;
  },
  event: (row, { config: before }) => ({
    operationType: 'UPDATE',
    resourceType: 'AUTHENTICATOR_CONFIG',
    resourcePath: `authentication/config/${row.id}`,
    representation: encodeAuthenticatorConfig(row),
    before: encodeAuthenticatorConfig(before),
  }),
  touches: (row, target) => [...touchedFlows()(target), touched(row)],
});

export const patchConfig = patchOf(updateConfig, {
  current: ({ config }) => encodeAuthenticatorConfig(config),
  empty: { config: {} },
});

export const removeConfig = write({
  name: 'authenticatorConfig.delete',
  summary: 'Deletes a configuration. Executions that used it have no configuration afterwards.',
  allow: 'manage:realm',
  queue: inLine,
  lock: ({ config }: ConfigTarget) => ({ model: 'AuthenticatorConfig', id: config.id }),
  run: async (tx, { config }: ConfigTarget) => {
    await tx.later.authenticatorConfig.deleteMany({ where: { id: config.id } });
    return config;
  },
  event: (row) => ({
    operationType: 'DELETE',
    resourceType: 'AUTHENTICATOR_CONFIG',
    resourcePath: `authentication/config/${row.id}`,
    before: encodeAuthenticatorConfig(row),
  }),
  touches: (row, target) => [...touchedFlows()(target), touched(row)],
});
