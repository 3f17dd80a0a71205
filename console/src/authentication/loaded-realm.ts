import type { AuthenticationQuery } from './documents.js';

/** What each tab of the screen gets. */
export interface AuthenticationPart {
  realm: NonNullable<AuthenticationQuery['realm']>;
  rules: NonNullable<AuthenticationQuery['serverInfo']>['passwordRules'];
  reload(): void;
}
