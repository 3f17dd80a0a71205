import { hashed } from '../state.js';

/** The account of a provider under the name that the provider has for it when it asks for a logout. Sessions are found by it. */
export const accountHash = (realmId: string, alias: string, subject: string): string =>
  hashed(JSON.stringify([realmId, alias, subject]));
