import { isObject } from '../../services/core/json.js';
import { mask } from '../../services/core/mask.js';
import type { ShownPlan } from '../../services/realms/desired/representation.js';

/** Secrets as short as this, such as a switch or a number, are masked only where they are the whole value. */
const shortest = 4;

/** Returns the same plan with masks in place of these secrets, wherever texts of it have them. */
export function maskedPlan(plan: ShownPlan, secrets: readonly string[]): ShownPlan {
  if (secrets.length === 0) return plan;
  const whole = new Set(secrets);
  const parts = secrets
    .filter((secret) => secret.length >= shortest)
    // settings that are JSON texts have it escaped
    .flatMap((secret) => [...new Set([secret, JSON.stringify(secret).slice(1, -1)])])
    .sort((one, other) => other.length - one.length);
  const text = (given: string): string =>
    whole.has(given) ? mask : parts.reduce((rest, part) => rest.replaceAll(part, mask), given);
  const masked = (value: unknown): unknown => {
    if (typeof value === 'string') return text(value);
    if (typeof value === 'number' || typeof value === 'boolean') return whole.has(String(value)) ? mask : value;
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
