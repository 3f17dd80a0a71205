import { createPublicKey } from 'node:crypto';
import type { Context } from '../core/context.js';
import { mask } from '../core/mask.js';
import { invalid } from '../core/refusal.js';
import { openedEntries, type Sealer, sealedEntries } from '../core/seal.js';
import { placeOfSecrets, type RowOfRealm } from '../core/sealed-columns.js';
import { requireSameDestination, secretKindOf } from '../core/stored-secrets.js';
import type { Target } from '../core/target.js';
import { selfSignedCertificate } from '../keys/certificate.js';
import { readPrivateKey } from '../keys/material.js';
import { keyProviderType, readProvider } from '../keys/provider.js';
import type { Config } from '../user-storage/config.js';
import { isSuppliedKey } from './key-settings.js';
import { keysOfKeyStore } from './key-store-keys.js';
import type { ComponentTarget } from './locate.js';
import { isProvider } from './providers.js';
import type { ComponentInput } from './representation.js';
import { generatedNames, makesKeys, splitComponentConfig } from './secrets.js';

/** What a component is: an implementation of a type of providers. */
export interface Kind {
  providerType: string;
  providerId: string;
}

/** The kind of a component. Throws `invalid` for a provider that there is not. */
export function requireProvider({ providerType, providerId }: { [K in keyof Kind]?: string | undefined }): Kind {
  if (providerType === undefined || providerId === undefined || !isProvider(providerType, providerId)) {
    const body = { error: 'HTTP 400 Bad Request' };
    throw invalid('Provider not found', providerType === undefined ? 'providerType' : 'providerId', { body });
  }
  return { providerType, providerId };
}

/** A configuration with its secrets after a change: empty lists take entries out, masks leave secrets as they are. */
export function changed(before: Config, given: Config): Config {
  const result = { ...before };
  for (const [name, values] of Object.entries(given)) {
    if (values.length === 0 || (values.length === 1 && values[0] === '')) delete result[name];
    else if (values[0] !== mask) result[name] = values;
  }
  return result;
}

/** What is stored of a configuration: open entries, and the others as one sealed text. */
export function columnsOf(row: Kind & RowOfRealm, config: Config, sealer: Sealer) {
  const { config: open, secrets } = splitComponentConfig(row.providerType, row.providerId, config);
  return { config: open, secrets: sealedEntries(secrets, placeOfSecrets('Component', row), sealer) };
}

/**
 * What has to be made or read for supplied keys ahead of the transaction: a certificate for an RSA key that comes without
 * one, or what a key store holds.
 */
export async function suppliedKeys(
  ctx: Context,
  { realm }: Target,
  kind: Partial<Kind>,
  config: Config,
): Promise<Config> {
  if (kind.providerType !== keyProviderType) return {};
  if (kind.providerId === 'java-keystore') return keysOfKeyStore(config, ctx.services.config.keyStoreFolder);
  const text = config.privateKey?.[0];
  if (!isSuppliedKey(kind.providerId ?? '') || !text || text === mask || config.certificate?.[0]) return {};
  try {
    const privateKey = readPrivateKey(text);
    return { certificate: [await selfSignedCertificate(privateKey, createPublicKey(privateKey), realm.name)] };
  } catch {
    // the settings are looked at later, and refused
    return {};
  }
}

/** The settings of a component with its secrets. */
export const openedConfig = (
  row: RowOfRealm & { config: unknown; secrets: string | null },
  sealer: Sealer,
): Config => ({
  ...(row.config as Config),
  ...openedEntries<string[]>(row.secrets, placeOfSecrets('Component', row), sealer),
});

/** The same for an update, whose settings count on top of those that are there. */
export async function suppliedAnew(ctx: Context, target: ComponentTarget, input: ComponentInput): Promise<Config> {
  const { component } = target;
  const kind = {
    providerType: input.providerType ?? component.providerType,
    providerId: input.providerId ?? component.providerId,
  };
  if (kind.providerId !== 'java-keystore') return suppliedKeys(ctx, target, kind, input.config ?? {});
  const row = await ctx.db.component.findUnique({
    where: { id: component.id },
    select: { config: true, secrets: true },
  });
  const placed = { id: component.id, realmId: target.realm.id };
  return row
    ? suppliedKeys(
        ctx,
        target,
        kind,
        changed(openedConfig({ ...row, ...placed }, ctx.services.sealer), input.config ?? {}),
      )
    : {};
}

/** Keys that were made with other settings than those that now hold are dropped, and made anew when they are needed. */
export function withoutOutdatedKeys(
  ctx: Context,
  before: Kind & { config: Config },
  after: Kind & { config: Config },
): Config {
  const { sealer } = ctx.services;
  const shape = ({ providerId, config }: Kind & { config: Config }) => {
    const provider = readProvider({ id: '', realmId: '', providerId, config, secrets: null }, sealer);
    return provider && [provider.type, provider.size, provider.curve].join();
  };
  if (!makesKeys(after.providerType, after.providerId) || shape(before) === shape(after)) return after.config;
  return Object.fromEntries(Object.entries(after.config).filter(([name]) => !generatedNames.has(name)));
}

/** Refuses settings under which a secret that is not sent again would go elsewhere. */
export function requireOwnPlace({ providerType, providerId }: Kind, before: Config, after: Config, sent: Config): void {
  const kind = secretKindOf(providerType, providerId);
  const isKept = (name: string) => before[name] !== undefined && [undefined, mask].includes(sent[name]?.[0]);
  if (kind) requireSameDestination(kind, { before, after, kept: (name) => isKept(name) && after[name] !== undefined });
}
