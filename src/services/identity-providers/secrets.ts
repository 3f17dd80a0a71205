import { mask } from '../core/mask.js';

const secretNames = new Set(['clientSecret']);

/** A reference to a vault tells nothing and is shown as it is. */
const isReference = (value: string): boolean => /^\$\{vault\..+\}$/.test(value);

type Config = Record<string, string>;

/** Parts an identity provider's configuration into what may be read, with masks for secrets, and what is sealed. */
export function splitProviderConfig(config: Config): { config: Config; secrets: Config } {
  const open: Config = {};
  const secrets: Config = {};
  for (const [name, value] of Object.entries(config)) {
    const isSecret = secretNames.has(name) && value !== '' && !isReference(value);
    open[name] = isSecret ? mask : value;
    if (isSecret && value !== mask) secrets[name] = value;
  }
  return { config: open, secrets };
}
