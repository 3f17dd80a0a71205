import { randomBytes } from 'node:crypto';
import type { BrowserBinding } from '../../saml/settings.js';
import type { Concerned } from '../../sessions/notifications.js';
import { keptForBrowser } from '../kept-for-browser.js';

/** A logout that leads the browser from one client to the next. */
export interface SamlLogout {
  /** the client that has asked for it */
  initiator: { clientId: string; requestId: string; relayState: string | undefined; binding: BrowserBinding };
  /** the clients that the browser has not been to */
  pending: Concerned[];
  /** clientId of the client that the browser is at */
  current?: string;
  /** whether a client could not be told */
  isPartial: boolean;
  /** notes of the session, until its identity provider is told */
  notes?: Record<string, unknown>;
}

/** A key that names a logout under way; it can be the ID of a message. */
export const newLogoutKey = (): string => `ID_${randomBytes(32).toString('hex')}`;

/** Logouts that wait until the browser comes back from a client or an identity provider. */
export const keptLogouts = keptForBrowser<SamlLogout>('SAML logout');
