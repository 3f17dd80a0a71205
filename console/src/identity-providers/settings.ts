import type { ProviderSetting } from '../parts/provider-settings.js';
import { type Outcome, read } from '../session/graphql.js';
import { type IdentityProviderType, ProviderDocument } from './documents.js';

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
