import { settingInput } from '../parts/provider-settings.js';
import { type Outcome, read } from '../session/graphql.js';
import { type IdentityProviderType, ProviderDocument } from './documents.js';

/** A setting of an identity provider or its mapper, as the API has it. */
export interface ProviderSetting {
  name: string;
  value: string;
}

/** Stored settings with values changed: the API replaces all settings, also those that no form shows. */
export function mergedSettings(stored: readonly ProviderSetting[], changed: unknown): ProviderSetting[] {
  const merged = new Map(stored.map(({ name, value }) => [name, value]));
  for (const { name, values } of settingInput(changed)) {
    const [value] = values;
    if (value === undefined) merged.delete(name);
    else merged.set(name, value);
  }
  return [...merged].map(([name, value]) => ({ name, value }));
}

/** Settings in the form in which fields read them. */
export const asStored = (settings: readonly ProviderSetting[]) =>
  settings.map(({ name, value }) => ({ name, values: [value] }));

/** The settings in a document, which is given as a text or by its URL. Errors stand at the field `document`. */
export async function settingsIn(
  realm: string,
  type: IdentityProviderType,
  document: string,
): Promise<Outcome<ProviderSetting[]>> {
  const text = document.trim();
  const source = /^https?:\/\/\S+$/.test(text) ? { url: text } : { text };
  const { data, errors } = await read(ProviderDocument, { realm, type, document: source });
  return {
    data: data?.realm?.identityProviderSettings ?? undefined,
    errors: errors.map((error) => ({ ...error, path: ['document'] })),
  };
}
