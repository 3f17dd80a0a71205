import { createHmac, randomBytes } from 'node:crypto';
import type { Services } from '../core/context.js';

/** A login or token request that was refused. Names are as they were sent, and may not exist. */
export interface RefusedLogin {
  readonly realm: string;
  readonly client: string | undefined;
  /** the username that was given */
  readonly user: string | undefined;
  /** the error of the login event, or of the answer */
  readonly reason: string;
  readonly address: string;
  readonly requestId: string;
}

/** Maximum length of a name in a line, in characters. Anybody can send longer ones. */
const mostText = 255;

/** Without SECRETS_KEY, hashes differ between processes. */
const ownKey = randomBytes(32);

const clipped = (text: string | undefined): string | undefined => text?.slice(0, mostText) || undefined;

/**
 * Logs a refused login in a line that programs such as fail2ban read (docs/security.md). LOG_USERS determines whether
 * the user is hashed.
 */
export function logRefusedLogin(
  { log, config: { logUsers, secretsKey } }: Pick<Services, 'log' | 'config'>,
  { realm, client, user, reason, address, requestId }: RefusedLogin,
): void {
  const name = clipped(user);
  // with a key, so that readers of the log cannot guess names
  const hash = () =>
    createHmac('sha256', secretsKey ?? ownKey)
      .update(`${realm} ${name}`)
      .digest('hex')
      .slice(0, 16);
  const shown = name === undefined ? {} : logUsers === 'hash' ? { userHash: hash() } : { user: name };
  log.info({ realm: clipped(realm), client: clipped(client), ...shown, reason, address, requestId }, 'login refused');
}
