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
