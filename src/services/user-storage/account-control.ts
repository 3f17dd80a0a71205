import type { Change } from 'ldapts';
import { replace } from '../ldap/change.js';
import { type Entry, textOf } from '../ldap/entry.js';
import type { Storage } from './storage.js';

/**
 * How Active Directory stores the state of an account: in flags, or in the lightweight services in one attribute each.
 */
type Control = 'flags' | 'lightweight';

/** Flags of userAccountControl (MS-ADTS 2.2.16). */
const accountDisabled = 0x2;
const passwordNotRequired = 0x20;
const normalAccount = 0x200;
const passwordExpired = 0x800000;

const flagsAttribute = 'userAccountControl';
const disabledAttribute = 'msDS-UserAccountDisabled';
const lastSetAttribute = 'pwdLastSet';

const controls = new Map<string, Control>([
  ['msad-user-account-control-mapper', 'flags'],
  ['msad-lds-user-account-control-mapper', 'lightweight'],
]);

/** Attributes that a mapper of account controls reads; empty for other mappers. */
export function controlAttributes(providerId: string): string[] {
  const control = controls.get(providerId);
  if (control === undefined) return [];
  return [control === 'flags' ? flagsAttribute : disabledAttribute, lastSetAttribute];
}

const controlOf = ({ mappers }: Storage): Control | undefined =>
  mappers.map(({ providerId }) => controls.get(providerId)).find((control) => control !== undefined);

/** Whether the directory reports disabled accounts and expired passwords. */
const controlsAccounts = (storage: Storage): boolean => controlOf(storage) !== undefined;

/** The attributes of an entry that are needed to change its account control. */
export const controlsRead = ({ mappers }: Storage): string[] =>
  mappers.flatMap(({ providerId }) => controlAttributes(providerId));

const flagsOf = (entry: Entry): number => Number(textOf(entry, flagsAttribute) ?? normalAccount);

/**
 * The account control of an entry. An account that waits for its first password reports nothing about being enabled.
 */
export function readControl(providerId: string, entry: Entry): { enabled?: boolean; mustChangePassword: boolean } {
  const isLightweight = controls.get(providerId) === 'lightweight';
  const lastSet = textOf(entry, lastSetAttribute);
  const flags = isLightweight ? 0 : flagsOf(entry);
  const isDisabled = isLightweight
    ? textOf(entry, disabledAttribute)?.toUpperCase() === 'TRUE'
    : (flags & accountDisabled) !== 0;
  return {
    ...(lastSet !== '0' && { enabled: !isDisabled }),
    mustChangePassword: lastSet === '0' || (flags & passwordExpired) !== 0,
  };
}

/** The desired change of an account. */
export interface AccountChange {
  enabled?: boolean | undefined;
  mustChangePassword?: boolean | undefined;
  /** whether it has got a password just now */
  newPassword?: boolean;
}

/** The modifications for a change of an account; empty if the storage has no mapper for it. */
export function controlChanges(storage: Storage, entry: Entry, change: AccountChange): Change[] {
  const control = controlOf(storage);
  if (control === undefined) return [];
  const changes: Change[] = [];
  const { enabled, mustChangePassword, newPassword = false } = change;
  if (control === 'lightweight') {
    if (enabled !== undefined) changes.push(replace(disabledAttribute, [enabled ? 'FALSE' : 'TRUE']));
  } else {
    const before = flagsOf(entry);
    const without = newPassword ? before & ~(passwordNotRequired | passwordExpired) : before;
    // an account without a password cannot be enabled there
    const waits = !newPassword && textOf(entry, lastSetAttribute) === '0';
    const settled = enabled === undefined || waits;
    const after = settled ? without : enabled ? without & ~accountDisabled : without | accountDisabled;
    if (after !== before) changes.push(replace(flagsAttribute, [String(after)]));
  }
  if (mustChangePassword !== undefined) changes.push(replace(lastSetAttribute, [mustChangePassword ? '0' : '-1']));
  return changes;
}

/**
 * The reasons of Active Directory for refusing a login, by the code in its answer (a system error code, in
 * hexadecimal).
 */
const expiredCodes = new Set(['532', '773']);
const disabledCode = '533';

/** The reason for a refused login, if the password has expired or the account is disabled. */
export function refusedBecause(storage: Storage, detail: string | undefined): 'expired' | 'disabled' | undefined {
  if (detail === undefined || storage.mode !== 'WRITABLE' || !controlsAccounts(storage)) return undefined;
  if (expiredCodes.has(detail)) return 'expired';
  return detail === disabledCode ? 'disabled' : undefined;
}
