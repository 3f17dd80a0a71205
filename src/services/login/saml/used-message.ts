import type { Db } from '../../../database/db.js';
import type { Services } from '../../core/context.js';
import { hashed } from '../state.js';

const purpose = 'SAML message';

/** How far the time of a message may be from that of the server, in seconds: as long as its ID is remembered at least. */
export const longestAge = 600;

/** Notes that a message of a client was acted on. False if that was so already: each counts once. */
export async function useMessage(
  tx: Db,
  { now }: Pick<Services, 'now'>,
  client: { id: string; realmId: string },
  messageId: string,
): Promise<boolean> {
  const { id: clientId, realmId } = client;
  const expiresAt = Math.floor(now() / 1000) + 3 * longestAge;
  const row = { id: hashed(`${purpose} ${clientId} ${messageId}`), realmId, purpose, payload: '', expiresAt };
  return (await tx.insertNew('OneTimeToken', [row])) > 0;
}
