import type { KeyStatus, KeyType, KeyUse } from '../core/ports.js';
import { openedEntries, type Sealer } from '../core/seal.js';
import { placeOfSecrets } from '../core/sealed-columns.js';

/** The type of the components that provide keys. */
export const keyProviderType = 'org.keycloak.keys.KeyProvider';

/** The columns of a key provider's component. */
export interface ProviderRow {
  id: string;
  realmId: string;
  providerId: string;
  config: unknown;
  secrets: string | null;
}

/** Key material under the names that the components of the contract have for it in their config. */
export type Material = Record<string, string[]>;

/** A key provider with its configuration understood. */
export interface Provider {
  id: string;
  type: KeyType;
  algorithm: string;
  use: KeyUse;
  status: KeyStatus;
  priority: number;
  /** RSA: bits of the modulus; OCT: bytes of the secret */
  size: number;
  /** EC only */
  curve: string;
  /** whether missing material may be generated; an imported provider without its key cannot be used */
  generated: boolean;
  /** the entries of the config and the opened secrets */
  material: Material;
}

interface Kind {
  type: KeyType;
  generated: boolean;
  algorithm: string;
  use: KeyUse;
  size: number;
}

const kinds = new Map<string, Kind>([
  ['rsa-generated', { type: 'RSA', generated: true, algorithm: 'RS256', use: 'SIG', size: 2048 }],
  ['rsa-enc-generated', { type: 'RSA', generated: true, algorithm: 'RSA-OAEP', use: 'ENC', size: 2048 }],
  ['rsa', { type: 'RSA', generated: false, algorithm: 'RS256', use: 'SIG', size: 2048 }],
  ['rsa-enc', { type: 'RSA', generated: false, algorithm: 'RSA-OAEP', use: 'ENC', size: 2048 }],
  ['java-keystore', { type: 'RSA', generated: false, algorithm: 'RS256', use: 'SIG', size: 2048 }],
  ['ecdsa-generated', { type: 'EC', generated: true, algorithm: 'ES256', use: 'SIG', size: 0 }],
  ['hmac-generated', { type: 'OCT', generated: true, algorithm: 'HS256', use: 'SIG', size: 64 }],
  ['aes-generated', { type: 'OCT', generated: true, algorithm: 'AES', use: 'ENC', size: 16 }],
]);

const curves = new Map([
  ['ES256', 'P-256'],
  ['ES384', 'P-384'],
  ['ES512', 'P-521'],
]);

/** The curve of an ECDSA algorithm, RFC 7518 section 3.4. */
export const curveOf = (algorithm: string): string | undefined => curves.get(algorithm);

/** The provider of a component; undefined for an unsupported kind. Throws if its secrets cannot be opened. */
export function readProvider(row: ProviderRow, sealer: Sealer): Provider | undefined {
  const kind = kinds.get(row.providerId);
  if (!kind) return undefined;
  const config = texts(row.config);
  const first = (name: string): string | undefined => config[name]?.[0] || undefined;
  const asked = first('ecdsaEllipticCurveKey');
  const [ecdsa, curve] = [...curves].find((entry) => entry[1] === asked) ?? ['ES256', 'P-256'];
  const use = first('keyUse')?.toUpperCase();
  return {
    id: row.id,
    type: kind.type,
    generated: kind.generated,
    algorithm: kind.type === 'EC' ? ecdsa : (first('algorithm') ?? kind.algorithm),
    use: use === 'ENC' || use === 'SIG' ? use : kind.use,
    status: statusOf(first('enabled') !== 'false', first('active') !== 'false'),
    priority: Number(first('priority') ?? 0) || 0,
    size: sizeOf(kind.type, first(kind.type === 'OCT' ? 'secretSize' : 'keySize'), kind.size),
    curve,
    material: { ...config, ...texts(openedEntries(row.secrets, placeOfSecrets('Component', row), sealer)) },
  };
}

function statusOf(enabled: boolean, active: boolean): KeyStatus {
  if (!enabled) return 'DISABLED';
  return active ? 'ACTIVE' : 'PASSIVE';
}

// Bounded: a size from a configuration must not occupy the machine for minutes.
function sizeOf(type: KeyType, text: string | undefined, standard: number): number {
  const size = Number(text ?? standard);
  if (!Number.isInteger(size) || size <= 0) return standard;
  return type === 'OCT' ? Math.min(size, 512) : Math.min(Math.max(size, 1024), 8192);
}

/** The entries of a component's config: lists of text. A bare text counts as a list of one. */
function texts(value: unknown): Material {
  if (typeof value !== 'object' || value === null) return {};
  const lists = Object.entries(value).map(([name, item]): [string, string[]] => [
    name,
    (Array.isArray(item) ? item : [item]).filter((text): text is string => typeof text === 'string'),
  ]);
  return Object.fromEntries(lists.filter(([, list]) => list.length > 0));
}
