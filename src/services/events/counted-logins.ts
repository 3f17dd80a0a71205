import { counter } from '../../telemetry/instruments.js';
import { ownMember } from '../core/json.js';

const logins = counter({
  name: 'realmgate_logins_total',
  help: 'Number of logins by kind (user, client) and outcome: success, or the error of the login event.',
  labelNames: ['kind', 'outcome'],
});

/** The login events that count as a login, by the kind of account. */
const kinds: Readonly<Record<string, 'user' | 'client'>> = {
  LOGIN: 'user',
  LOGIN_ERROR: 'user',
  CLIENT_LOGIN: 'client',
  CLIENT_LOGIN_ERROR: 'client',
};

/** Errors with a separate label value; others count as `other`, so that the number of values is limited. */
const known = new Set([
  'client_disabled',
  'client_not_found',
  'expired_code',
  'invalid_client_credentials',
  'invalid_redirect_uri',
  'invalid_request',
  'invalid_user_credentials',
  'not_allowed',
  'rejected_by_user',
  'user_disabled',
  'user_not_found',
  'user_temporarily_disabled',
]);

/** Counts a login event. If its transaction is repeated, it is counted again. */
export function countLogin({ type, error }: { type: string; error?: string | undefined }): void {
  const kind = ownMember(kinds, type);
  if (!kind) return;
  const outcome = type.endsWith('_ERROR') ? (error !== undefined && known.has(error) ? error : 'other') : 'success';
  logins.inc({ kind, outcome });
}
