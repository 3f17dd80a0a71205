import type { RealmRecord } from '../core/realm.js';
import { localeOf } from '../login/texts.js';

/** The language that a user has chosen, if the realm supports it, or else the default language of the realm. */
export const preferredLocale = (
  realm: RealmRecord,
  { attributes }: { attributes: readonly { name: string; value: string }[] },
): ReturnType<typeof localeOf> => localeOf(realm, { chosen: attributes.find(({ name }) => name === 'locale')?.value });
