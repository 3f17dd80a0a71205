import type { Db } from '../../../database/db.js';
import type { Services } from '../../core/context.js';
import { longestAge } from '../../saml/envelope.js';
import { hashed } from '../state.js';

const purpose = 'SAML message';

/** Notes that a message of a client or an identity provider was acted on. False if that was so already: each counts once. */
export async function useMessage(
  tx: Db,
  { now }: Pick<Services, 'now'>,
  sender: { id: string; realmId: string },
  messageId: string,
): Promise<boolean> {
  const { id: senderId, realmId } = sender;
  const expiresAt = Math.floor(now() / 1000) + 3 * longestAge;
  const row = { id: hashed(`${purpose} ${senderId} ${messageId}`), realmId, purpose, payload: '', expiresAt };
  return (await tx.insertNew('OneTimeToken', [row])) > 0;
}
