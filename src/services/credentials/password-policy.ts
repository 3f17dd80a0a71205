import { wholePattern } from '../core/pattern.js';
import { invalid } from '../core/refusal.js';
import { isBlacklist } from './blacklists.js';
import { defaultIterationsOf, type HashSettings, mostIterationsOf } from './hashing.js';
import { defaultAlgorithm } from './stored-hash.js';

/** One rule of a password policy; the value is the text between its parentheses. */
export interface PolicyRule {
  id: string;
  value: string | undefined;
}

/** The settings of a password policy for storing passwords. */
export interface PolicySettings {
  hashIterations: number;
  hashAlgorithm: string;
  /** number of passwords, the present one included, that a new password must differ from */
  history: number;
  /** days after which a password has to be changed, 0 = never */
  expireDays: number;
}

// default values of the rules with a numeric parameter
const numbers = new Map(
  Object.entries({
    length: 8,
    maxLength: 64,
    digits: 1,
    lowerCase: 1,
    upperCase: 1,
    specialChars: 1,
    passwordHistory: 3,
    hashIterations: 27500,
    forceExpiredPasswordChange: 365,
  }),
);
const others = new Set(['notUsername', 'notEmail', 'regexPattern', 'hashAlgorithm', 'passwordBlacklist']);

/**
 * The rules of a policy text such as `length(8) and notUsername(undefined)`; a later rule replaces an earlier one of
 * the same name.
 */
export function parsePasswordPolicy(text: string | null | undefined): PolicyRule[] {
  const rules = new Map<string, string | undefined>();
  for (const part of splitRules(text ?? '')) {
    const open = part.indexOf('(');
    if (open < 0) rules.set(part, undefined);
    else rules.set(part.slice(0, open).trim(), part.slice(open + 1, part.endsWith(')') ? -1 : undefined));
  }
  return [...rules].map(([id, value]) => ({ id, value }));
}

// ' and ' may also be part of a regular expression: a rule with an open parenthesis continues until one closes it.
function splitRules(text: string): string[] {
  const rules: string[] = [];
  let pending = '';
  for (const part of text.split(' and ')) {
    pending = pending === '' ? part : `${pending} and ${part}`;
    if (pending.includes('(') && !pending.trimEnd().endsWith(')')) continue;
    rules.push(pending.trim());
    pending = '';
  }
  if (pending.trim() !== '') rules.push(pending.trim());
  return rules.filter((rule) => rule !== '');
}

/** The number of a rule, or its default if it has none. Refuses text that is not a number. */
export function ruleNumber({ id, value }: PolicyRule): number {
  const standard = numbers.get(id) ?? 0;
  if (value === undefined || value.trim() === '' || value === 'undefined') return standard;
  if (!/^-?\d{1,9}$/.test(value.trim()))
    throw invalid(`Invalid config for ${id}: Not a valid number`, 'passwordPolicy');
  return Number(value);
}

/** Refuses numbers that no policy may have. */
function requireFitting(id: string, value: number, most: number): void {
  if (id !== 'hashIterations' || value <= most) return;
  throw invalid(`Invalid config for ${id}: must be at most ${most}, got ${value}`, 'passwordPolicy');
}

/** The algorithm that a policy names, or the default. */
const algorithmOf = (rules: readonly PolicyRule[]): string =>
  rules.find(({ id }) => id === 'hashAlgorithm')?.value || defaultAlgorithm;

/** Refuses a policy with unknown rules or with values that cannot be used, as when a realm is saved. */
export function validatePasswordPolicy(
  text: string | null | undefined,
  known: { isHashAlgorithm: (id: string) => boolean; blacklists?: ReadonlyMap<string, unknown> },
): void {
  const rules = parsePasswordPolicy(text);
  const most = mostIterationsOf(algorithmOf(rules));
  for (const rule of rules) {
    if (numbers.has(rule.id)) requireFitting(rule.id, ruleNumber(rule), most);
    else if (!others.has(rule.id)) throw invalid('Unsupported policy', 'passwordPolicy');
    const value = rule.value ?? '';
    if (rule.id === 'hashAlgorithm' && value !== '' && !known.isHashAlgorithm(value))
      throw invalid('Invalid config for hashAlgorithm: Password hashing provider not found', 'passwordPolicy');
    if (rule.id === 'passwordBlacklist' && !(known.blacklists ? known.blacklists.has(value) : isBlacklist(value)))
      throw invalid('Password blacklist not found', 'passwordPolicy');
    if (rule.id === 'regexPattern' && !wholePattern(value))
      throw invalid('Invalid config for regexPattern: Not a valid regular expression', 'passwordPolicy');
  }
}

/** The settings of a realm's policy for hashing, history and expiry, with defaults for missing rules. */
export function policySettings(text: string | null | undefined): PolicySettings {
  const rules = parsePasswordPolicy(text);
  const number = (id: string): number | undefined => {
    const rule = rules.find((candidate) => candidate.id === id);
    return rule && ruleNumber(rule);
  };
  const hashAlgorithm = algorithmOf(rules);
  const iterations = number('hashIterations') ?? defaultIterationsOf(hashAlgorithm);
  return {
    hashIterations: Math.min(mostIterationsOf(hashAlgorithm), Math.max(1, iterations)),
    hashAlgorithm,
    history: number('passwordHistory') ?? 0,
    expireDays: number('forceExpiredPasswordChange') ?? 0,
  };
}

/** A realm with the settings that hold its password policy. */
export interface HashingRealm {
  id: string;
  settings: Record<string, unknown>;
}

/** How a realm hashes passwords: by its policy, in the realm's own queue. */
export function hashSettingsOf({ id, settings }: HashingRealm): HashSettings {
  const { passwordPolicy } = settings;
  const { hashIterations, hashAlgorithm } = policySettings(
    typeof passwordPolicy === 'string' ? passwordPolicy : undefined,
  );
  return { iterations: hashIterations, algorithm: hashAlgorithm, line: id };
}
