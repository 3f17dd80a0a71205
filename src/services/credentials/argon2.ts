import { limit } from '../../config/limits.js';
import { isObject } from '../core/json.js';

/** How a key is derived by Argon2 (RFC 9106), version 1.3. */
export interface Argon2Settings {
  type: 'd' | 'i' | 'id';
  /** passes over the memory */
  iterations: number;
  /** in KiB */
  memory: number;
  parallelism: number;
  /** of the hash, in bytes */
  length: number;
}

/** The settings of new passwords: the defaults of the reference since its version 25. */
export const argon2Defaults = { type: 'id', iterations: 5, memory: 7168, parallelism: 1, length: 32 } as const;

/** Maximum passes of a policy. */
export const mostPasses = limit('Logins and tokens', 'Passes of a password hash by Argon2, in a policy', 100, 'passes');
const version = '1.3';
const mostMemory = 256 * 1024;
/** Maximum KiB of all passes together: about a second. */
const mostWork = 1024 * 1024;
/** The cost of one KiB of a pass, in rounds of PBKDF2 with SHA-256. */
const roundsOfKibibyte = 2;

/** The cost of deriving a key, in rounds of PBKDF2. */
export const argon2Rounds = ({ iterations, memory }: Pick<Argon2Settings, 'iterations' | 'memory'>): number =>
  iterations * memory * roundsOfKibibyte;

/** The settings as `additionalParameters` of a credential, whose values are lists of texts. */
export const argon2Parameters = ({ type, memory, parallelism, length }: Argon2Settings): Record<string, string[]> => ({
  hashLength: [String(length)],
  memory: [String(memory)],
  type: [type],
  version: [version],
  parallelism: [String(parallelism)],
});

const isWithin = (value: number, least: number, most: number): boolean =>
  Number.isInteger(value) && value >= least && value <= most;

/**
 * The settings of a stored credential; undefined for other versions, and for settings that take too much time or
 * memory.
 */
export function readArgon2(iterations: number, parameters: unknown): Argon2Settings | undefined {
  const given = isObject(parameters) ? parameters : {};
  const first = (name: string): string => String([given[name]].flat()[0] ?? '');
  const [type, memory, parallelism, length] = ['type', 'memory', 'parallelism', 'hashLength'].map(first);
  if ((type !== 'd' && type !== 'i' && type !== 'id') || first('version') !== version) return undefined;
  const settings = {
    type,
    iterations,
    memory: Number(memory),
    parallelism: Number(parallelism),
    length: Number(length),
  } as const;
  const fits =
    isWithin(iterations, 1, mostWork) &&
    isWithin(settings.parallelism, 1, 16) &&
    isWithin(settings.memory, 8 * settings.parallelism, mostMemory) &&
    isWithin(settings.length, 16, 1024) &&
    iterations * settings.memory <= mostWork;
  return fits ? settings : undefined;
}
