import type { Text } from '../text/text.js';

/** The German names of the rules that the server has: the API has the English ones. */
const germanNames: Readonly<Record<string, string>> = {
  digits: 'Ziffern',
  forceExpiredPasswordChange: 'Gültigkeit in Tagen',
  hashAlgorithm: 'Hash-Verfahren',
  hashIterations: 'Durchläufe des Hash-Verfahrens',
  length: 'Mindestlänge',
  lowerCase: 'Kleinbuchstaben',
  maxLength: 'Höchstlänge',
  notEmail: 'Nicht die E-Mail-Adresse',
  notUsername: 'Nicht der Benutzername',
  passwordBlacklist: 'Nicht auf der Sperrliste',
  passwordHistory: 'Nicht kürzlich verwendet',
  regexPattern: 'Regulärer Ausdruck',
  specialChars: 'Sonderzeichen',
  upperCase: 'Großbuchstaben',
};

/** What a rule is called. */
export const titleOf = ({ name, displayName }: { name: string; displayName: string }): Text => [
  displayName,
  germanNames[name] ?? displayName,
];

/** A rule of a password policy with its value, as the policy has it. */
export interface Rule {
  name: string;
  value: string | null;
}

/** The rules of a policy such as `length(12) and notUsername(undefined)`. */
export const rulesOf = (policy: string | null): Rule[] =>
  (policy ?? '')
    .split(' and ')
    .filter((part) => part.trim() !== '')
    .map((part) => {
      const [, name = part, value = null] = /^\s*([^()\s]+)(?:\((.*)\))?\s*$/.exec(part) ?? [];
      return { name, value: value === 'undefined' ? null : value };
    });

/** The policy that has the rules. */
export const policyOf = (rules: readonly Rule[]): string =>
  rules.map(({ name, value }) => (value === null ? name : `${name}(${value})`)).join(' and ');
