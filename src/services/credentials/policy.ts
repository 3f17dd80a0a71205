import { matches } from '../core/pattern.js';
import { type Fault, invalid, Refusal } from '../core/refusal.js';
import { blacklistNamed, type PasswordList } from './blacklists.js';
import { type HashedPassword, verifyPassword } from './hashing.js';
import { type PolicyRule, parsePasswordPolicy, ruleNumber } from './password-policy.js';

/** A new password, and the data that the rules compare it with. */
export interface PasswordCandidate {
  password: string;
  username: string;
  email?: string | null;
  /** the present password and those before it, latest first, with their secret data opened */
  history?: readonly HashedPassword[];
  /** ID of the realm, for fairness: realms take turns in hashing */
  line?: string;
  /** the lists for passwordBlacklist; by default, the lists in the configured folder */
  blacklists?: ReadonlyMap<string, PasswordList>;
}

/** A rule that a password breaks: the message key of the contract and its text. */
export interface PolicyBreach {
  error: string;
  description: string;
  /** violations of further rules that are cheap to check */
  further?: readonly PolicyBreach[];
}

type Check = (
  rule: PolicyRule,
  candidate: PasswordCandidate,
) => PolicyBreach | undefined | Promise<PolicyBreach | undefined>;

// A pattern is not run on a longer password.
const patternInput = 1024;

const breach = (key: string, text: string): PolicyBreach => ({
  error: `invalidPassword${key}Message`,
  description: `Invalid password: ${text}.`,
});

const atLeast =
  (key: string, what: string, pattern: RegExp): Check =>
  (rule, { password }) => {
    const least = ruleNumber(rule);
    const found = password.match(pattern)?.length ?? 0;
    return found < least ? breach(`Min${key}`, `must contain at least ${least} ${what}`) : undefined;
  };

const checks = new Map<string, Check>(
  Object.entries({
    length: (rule, { password }) => {
      const least = ruleNumber(rule);
      return password.length < least ? breach('MinLength', `minimum length ${least}`) : undefined;
    },
    maxLength: (rule, { password }) => {
      const most = ruleNumber(rule);
      return password.length > most ? breach('MaxLength', `maximum length ${most}`) : undefined;
    },
    digits: atLeast('Digits', 'numerical digits', /\p{Nd}/gu),
    lowerCase: atLeast('LowerCaseChars', 'lower case characters', /\p{Lowercase}/gu),
    upperCase: atLeast('UpperCaseChars', 'upper case characters', /\p{Uppercase}/gu),
    specialChars: atLeast('SpecialChars', 'special characters', /[^\p{L}\p{Nd}]/gu),
    // the case counts: recorded
    notUsername: (_, { password, username }) =>
      password === username ? breach('NotUsername', 'must not be equal to the username') : undefined,
    notEmail: (_, { password, email }) =>
      email != null && password === email ? breach('NotEmail', 'must not be equal to the email') : undefined,
    regexPattern: ({ value = '' }, { password }) =>
      password.length <= patternInput && matches(value, password)
        ? undefined
        : breach('RegexPattern', 'fails to match regex pattern(s)'),
    passwordHistory: async (rule, { password, history = [], line }) => {
      const last = ruleNumber(rule);
      for (const { credentialData, secretData } of history.slice(0, Math.max(0, last)))
        if (await verifyPassword(password, credentialData, secretData, { line }))
          return breach('History', `must not be equal to any of last ${last} passwords`);
      return undefined;
    },
    passwordBlacklist: async ({ value = '' }, { password, blacklists }) => {
      const list = blacklists ? blacklists.get(value) : await blacklistNamed(value);
      if (!list) throw invalid('Password blacklist not found', 'value');
      return list.has(password.toLowerCase()) ? breach('Blacklisted', 'password is blacklisted') : undefined;
    },
  } satisfies Record<string, Check>),
);

/** Rules that hash the password, or can be refused themselves: they are checked only if all others pass. */
const costly = new Set(['passwordHistory', 'passwordBlacklist']);

/** The first rule of the policy that the password violates, in the reference's order; undefined if there is none. */
export async function findPolicyBreach(
  policyText: string | null | undefined,
  candidate: PasswordCandidate,
): Promise<PolicyBreach | undefined> {
  const found: PolicyBreach[] = [];
  for (const rule of inReferenceOrder(parsePasswordPolicy(policyText))) {
    if (found.length > 0 && costly.has(rule.id)) continue;
    const broken = await checks.get(rule.id)?.(rule, candidate);
    if (broken) found.push(broken);
  }
  const [first, ...further] = found;
  return first && further.length > 0 ? { ...first, further } : first;
}

/** Every rule that is known to be broken, as faults of a field. */
export const breachFaults = ({ further = [], ...first }: PolicyBreach, field: string): Fault[] =>
  [first, ...further].map(({ description }) => ({
    path: [field],
    message: description,
    code: 'PASSWORD_POLICY',
  }));

/** Refuses a broken policy as `reset-password` words it. */
export const breachRefusal = (breach: PolicyBreach): Refusal =>
  new Refusal('invalid', breach.description, {
    field: 'value',
    code: 'PASSWORD_POLICY',
    faults: breachFaults(breach, 'value'),
    body: { error: breach.error, error_description: breach.description },
  });

/** Refuses a password that breaks the realm's policy, with the body that the contract has for reset-password. */
export async function checkPassword(
  policyText: string | null | undefined,
  candidate: PasswordCandidate,
): Promise<void> {
  const found = await findPolicyBreach(policyText, candidate);
  if (!found) return;
  throw breachRefusal(found);
}

/**
 * The reference keeps the rules in a hash table and checks them in the order of its buckets. The recordings show the
 * rule that is reported first. The order follows from the hash of the rule's name.
 */
function inReferenceOrder(rules: PolicyRule[]): PolicyRule[] {
  let buckets = 16;
  while (rules.length > buckets * 0.75) buckets *= 2;
  const bucket = ({ id }: PolicyRule): number => {
    let hash = 0;
    for (let at = 0; at < id.length; at += 1) hash = (Math.imul(hash, 31) + id.charCodeAt(at)) | 0;
    return (hash ^ (hash >>> 16)) & (buckets - 1);
  };
  return rules.toSorted((one, other) => bucket(one) - bucket(other));
}
