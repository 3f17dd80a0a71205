import { X509Certificate } from 'node:crypto';
import { invalid } from '../core/refusal.js';
import { certificateBytes } from '../keys/certificate.js';
import { keyEncryptions } from '../keys/jwe.js';
import { readPrivateKey } from '../keys/material.js';

type Config = Record<string, string[]>;

const refuse = (message: string) => invalid(message, 'config');

/** The one value of a setting, or nothing where it was left out. */
function single(config: Config, name: string, label: string): string | undefined {
  const values = config[name] ?? [];
  if (values.length > 1) throw refuse(`'${label}' should be a single entry`);
  return values[0] || undefined;
}

function number(config: Config, name: string, label: string, isRequired = false): void {
  const value = single(config, name, label);
  if (value === undefined && isRequired) throw refuse(`'${label}' is required`);
  if (value !== undefined && !/^-?\d{1,18}$/.test(value)) throw refuse(`'${label}' should be a number`);
}

function choice(config: Config, name: string, label: string, allowed: readonly string[], text?: string): void {
  const value = single(config, name, label);
  if (value === undefined || allowed.includes(value)) return;
  throw refuse(`'${label}' should be ${text ?? `${allowed.slice(0, -1).join(', ')} or ${allowed.at(-1)}`}`);
}

const flags = ['true', 'false'];
const secretSizes = ['16', '24', '32', '64', '128', '256', '512'];

/** Whether the settings of a provider of keys have the key itself. */
export const isSuppliedKey = (providerId: string): boolean => providerId === 'rsa' || providerId === 'rsa-enc';

/** Refuses settings with which a provider of keys could not work. Takes the configuration with its secrets. */
function checkKeySettings(providerId: string, config: Config): void {
  number(config, 'priority', 'Priority');
  choice(config, 'enabled', 'Enabled', flags, `'true' or 'false'`);
  choice(config, 'active', 'Active', flags, `'true' or 'false'`);
  choice(config, 'keySize', 'Key size', ['1024', '2048', '4096']);
  choice(config, 'secretSize', 'Secret size', secretSizes);
  choice(config, 'ecdsaEllipticCurveKey', 'Elliptic Curve', ['P-256', 'P-384', 'P-521']);
  if (/^rsa-enc/.test(providerId)) choice(config, 'algorithm', 'Algorithm', keyEncryptions);
  if (isSuppliedKey(providerId)) checkSuppliedKey(config);
}

/** Checks the settings of a key provider and adds defaults for missing ones. */
export function checkedKeys(providerId: string, config: Config): Config {
  checkKeySettings(providerId, config);
  return providerId === 'ecdsa-generated' ? { ecdsaEllipticCurveKey: ['P-256'], ...config } : config;
}

/** Refuses settings with which a policy for clients that register themselves could not work. */
export function checkedPolicy(providerId: string, config: Config): Config {
  if (providerId === 'max-clients') number(config, 'max-clients', 'Max Clients Per Realm', true);
  return config;
}

function checkSuppliedKey(config: Config): void {
  const privateKey = single(config, 'privateKey', 'Private RSA Key');
  if (privateKey === undefined) throw refuse(`'Private RSA Key' is required`);
  const key = readKey(privateKey);
  if (key?.asymmetricKeyType !== 'rsa') throw refuse('Failed to decode private key');
  const text = single(config, 'certificate', 'X509 Certificate');
  if (text === undefined) return;
  const certificate = certificateBytes(text);
  if (!certificate) throw refuse('Failed to decode certificate');
  if (!new X509Certificate(certificate).checkPrivateKey(key)) throw refuse('Certificate does not match private key');
}

function readKey(text: string) {
  try {
    return readPrivateKey(text);
  } catch {
    return undefined;
  }
}
