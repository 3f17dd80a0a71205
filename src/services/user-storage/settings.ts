import { invalid, type Refusal } from '../core/refusal.js';
import { parsedFilter } from '../ldap/filter.js';
import { type Config, editModes, flagOf, one } from './config.js';

/** The refusal of a setting of a component. */
export const refuseSetting = (message: string, name: string): Refusal => invalid(message, `config.${name}`);

const periods = ['fullSyncPeriod', 'changedSyncPeriod'];
const timeouts = [
  ['connectionTimeout', 'Connection Timeout'],
  ['readTimeout', 'Read Timeout'],
] as const;

/** Refuses settings with which a user storage could not work. Messages are as in the contract. */
export function checkStorage(providerId: string, config: Config): Config {
  const mode = one(config, 'editMode');
  if (mode !== undefined && !editModes.some((known) => known === mode)) {
    throw invalid('`editMode` is not supported', 'config.editMode', { body: { error: 'HTTP 400 Bad Request' } });
  }
  for (const name of periods) {
    const value = one(config, name);
    if (value !== undefined && !/^-?\d{1,9}$/.test(value)) throw refuseSetting(`'${name}' should be a number`, name);
  }
  if (providerId === 'ldap') checkLdap(config, mode);
  return config;
}

/** Why the connection URL of a directory is none, or undefined. It can have several addresses, between spaces. */
export function faultOfConnection(config: Config): string | undefined {
  const addresses = (one(config, 'connectionUrl') ?? '').split(/\s+/).filter((url) => url !== '');
  const wrong = addresses.find(
    (url) => !/^ldaps?:\/\//i.test(url) || !URL.canParse(url) || new URL(url).hostname === '',
  );
  return wrong === undefined
    ? undefined
    : '`connectionUrl` must be addresses with the scheme `ldap` or `ldaps` and a host, such as `ldaps://directory.example`';
}

function checkLdap(config: Config, mode: string | undefined): void {
  const fault = faultOfConnection(config);
  if (fault !== undefined) throw refuseSetting(fault, 'connectionUrl');
  checkFilter(config, 'customUserSearchFilter');
  for (const [name, label] of timeouts) {
    const value = one(config, name);
    if (value !== undefined && !isNumber(value)) throw refuseSetting(`${label} must be a number`, name);
  }
  if (mode === 'UNSYNCED' && !flagOf(config, 'importEnabled', true)) {
    throw refuseSetting('Can not disable Importing users when LDAP provider mode is UNSYNCED', 'importEnabled');
  }
}

/** Whether a text is a whole number, as timeouts of directories are written. */
export const isNumber = (text: string): boolean => /^[+-]?\d{1,18}$/.test(text);

/** Refuses a setting that is no filter of RFC 4515. */
export function checkFilter(config: Config, name: string): void {
  const filter = one(config, name);
  if (filter === undefined) return;
  if (!filter.startsWith('(') || !filter.endsWith(')')) {
    throw refuseSetting('Custom configured LDAP filter does not start with "(" or does not end with ")".', name);
  }
  if (parsedFilter(filter) === undefined) throw refuseSetting('The LDAP filter is not valid', name);
}
