import { mask } from '../core/mask.js';
import { keyProviderType } from '../keys/provider.js';

/** Entries that are secret wherever they occur; answers show the mask in their place. */
const secretNames = new Set(['bindCredential', 'privateKey', 'keystorePassword', 'keyPassword']);

/** Entries that a key provider makes by itself; answers do not show them at all. */
export const generatedNames: ReadonlySet<string> = new Set([
  'privateKey',
  'certificate',
  'secret',
  'kid',
  'ecdsaPrivateKey',
  'ecdsaPublicKey',
]);

/** Those of them that are secret in whatever kind of provider of keys they turn up. */
const symmetricNames: ReadonlySet<string> = new Set(['secret', 'ecdsaPrivateKey']);

type Config = Record<string, string[]>;

/** Whether a component makes key material of its own. */
export const makesKeys = (providerType: string, providerId: string): boolean =>
  providerType === keyProviderType && providerId.endsWith('-generated');

/** The settings of a component without what a provider of keys makes by itself: nobody supplies that. */
export const withoutGenerated = (providerType: string, providerId: string, config: Config): Config =>
  makesKeys(providerType, providerId)
    ? Object.fromEntries(Object.entries(config).filter(([name]) => !generatedNames.has(name)))
    : config;

/**
 * Parts a component's configuration into what may be read and what is sealed. Where something secret was taken out that
 * answers show as a mask, the mask is put in, so that reading needs no key.
 */
export function splitComponentConfig(
  providerType: string,
  providerId: string,
  config: Config,
): { config: Config; secrets: Config } {
  const isKeys = providerType === keyProviderType;
  const generated = makesKeys(providerType, providerId);
  const open: Config = {};
  const secrets: Config = {};
  for (const [name, values] of Object.entries(config)) {
    if (generated ? generatedNames.has(name) : isKeys && symmetricNames.has(name)) {
      if (values[0] !== mask) secrets[name] = values;
    } else if (secretNames.has(name) && values.some((value) => value !== '')) {
      open[name] = [mask];
      if (values[0] !== mask) secrets[name] = values;
    } else {
      open[name] = values;
    }
  }
  return { config: open, secrets };
}
