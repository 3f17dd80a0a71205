import { createHash, randomBytes } from 'node:crypto';
import { limit } from '../../config/limits.js';
import { numberOf } from '../core/json.js';
import { placeOfPayload } from '../core/sealed-columns.js';
import { storableTime } from '../core/storable-time.js';
import { inTransaction } from '../core/unit-of-work.js';
import { seconds, type TokenContext } from './context.js';
import { oauthError } from './oauth-error.js';

const purpose = 'pushed authorization request';
const scheme = 'urn:ietf:params:oauth:request_uri:';
const mostLength = limit('Logins and tokens', 'Pushed authorization request', 32_000, 'characters', '413');
interface Pushed {
  /** id of the client's row */
  clientId: string;
  parameters: [string, string][];
}

/** Only a hash of what stands for the request is stored. */
const rowId = (uri: string): string => createHash('sha256').update(`${purpose} ${uri}`).digest('base64url');

/** Whether a `request_uri` stands for what a client has pushed. */
export const isPushed = (uri: string): boolean => uri.startsWith(scheme);

/** Keeps the parameters of a request for the client. Returns what stands for them, and for how many seconds. */
export async function keepPushed(
  context: Pick<TokenContext, 'database' | 'sealer' | 'now'>,
  realm: { id: string },
  client: { id: string },
  parameters: [string, string][],
): Promise<{ uri: string; lifespan: number }> {
  const payload = JSON.stringify({ clientId: client.id, parameters } satisfies Pushed);
  if (payload.length > mostLength) throw oauthError(413, 'invalid_request', 'The request is too large');
  const stored = await context.database.read.realm.findFirst({ where: { id: realm.id }, select: { attributes: true } });
  const set = numberOf(stored?.attributes, 'parRequestUriLifespan', 60);
  const lifespan = set > 0 ? set : 60;
  const uri = scheme + randomBytes(32).toString('base64url');
  const row = { id: rowId(uri), realmId: realm.id, purpose, expiresAt: storableTime(seconds(context) + lifespan) };
  const sealed = context.sealer.seal(payload, placeOfPayload(row.id));
  await inTransaction(context.database, (tx) => tx.insertNew('OneTimeToken', [{ ...row, payload: sealed }]));
  return { uri, lifespan };
}

/** What a client has pushed, once; nothing where it has not, or too long ago. */
export async function takePushed(
  context: Pick<TokenContext, 'database' | 'sealer' | 'now'>,
  realmId: string,
  client: { id: string },
  uri: string,
): Promise<URLSearchParams | undefined> {
  const where = { id: rowId(uri), realmId, purpose };
  const row = await context.database.read.oneTimeToken.findFirst({ where, select: { payload: true, expiresAt: true } });
  if (!row || row.expiresAt <= seconds(context)) return undefined;
  const pushed = JSON.parse(context.sealer.open(row.payload, placeOfPayload(where.id))) as Pushed;
  // an address that another client sends along stays good for its own
  if (pushed.clientId !== client.id) return undefined;
  const taken = await inTransaction(context.database, (tx) => tx.oneTimeToken.deleteMany({ where }));
  return taken.count > 0 ? new URLSearchParams(pushed.parameters) : undefined;
}
