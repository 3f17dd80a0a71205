import { numberOf } from '../core/json.js';
import type { RealmRecord } from '../core/realm.js';
import type { Page } from './attempt.js';
import { loginLifespan } from './request.js';

/** Pages of required actions, and of the consent. The link in the mail for an address has a lifespan of its own. */
const actionPages: ReadonlySet<Page['name']> = new Set([
  'newCodes',
  'updatePassword',
  'updateProfile',
  'configureTotp',
  'registerKey',
  'terms',
  'deleteAccount',
  'consent',
]);

/** How long a user may take for a page of a login, in seconds. */
export const pageLifespan = (realm: RealmRecord, page: Page): number =>
  actionPages.has(page.name) ? numberOf(realm.settings, 'accessCodeLifespanUserAction', 300) : loginLifespan(realm);
