import { isObject } from '../../services/core/json.js';
import { mask } from '../../services/core/mask.js';
import type { ShownPlan } from '../../services/realms/desired/representation.js';

/** Secrets of at most this length, such as a switch or a number, are masked only if they are the whole value. */
const shortest = 4;

const literally = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/** Returns a function that puts masks in place of these secrets in a text, in any case of letters: names of users lose theirs. */
export function masker(secrets: readonly string[]): (text: string) => string {
  const whole = new Set(secrets.map((secret) => secret.toLowerCase()));
  const parts = secrets
    .filter((secret) => secret.length >= shortest)
    // settings that are JSON texts have it escaped, and the service trims names
    .flatMap((secret) => [secret, secret.trim(), JSON.stringify(secret).slice(1, -1)])
    .filter((part) => part.length >= shortest)
    .sort((one, other) => other.length - one.length);
  if (parts.length === 0) return (text) => (whole.has(text.toLowerCase()) ? mask : text);
  const anywhere = new RegExp([...new Set(parts)].map(literally).join('|'), 'giu');
  return (text) => (whole.has(text.toLowerCase()) ? mask : text.replace(anywhere, mask));
}

/** Returns the plan with masks in place of these secrets, wherever they occur in its texts. */
export function maskedPlan(plan: ShownPlan, secrets: readonly string[]): ShownPlan {
  if (secrets.length === 0) return plan;
  const text = masker(secrets);
  const numbers = new Set(secrets.map(Number));
  const masked = (value: unknown): unknown => {
    if (typeof value === 'string') return text(value);
    if (typeof value === 'number') return numbers.has(value) ? mask : value;
    if (typeof value === 'boolean') return text(String(value)) === mask ? mask : value;
    if (Array.isArray(value)) return value.map(masked);
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [text(name), masked(item)]));
  };
  return {
    ...plan,
    warnings: plan.warnings.map(text),
    changes: plan.changes.map((change) => ({
      ...change,
      key: text(change.key),
      fields: change.fields.map((field) => ({
        ...field,
        path: field.path.map(text),
        before: masked(field.before),
        after: masked(field.after),
      })),
    })),
  };
}
