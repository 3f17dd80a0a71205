import type { Db } from '../../database/db.js';
import type { Prisma } from '../../generated/sqlite/client.js';
import { members, textsOf } from '../core/json.js';
import { asksConsent, chooseScopes } from '../tokens/scopes.js';
import type { TokenUser } from '../tokens/types.js';
import type { Attempt } from './attempt.js';

/** What a client has to be allowed to see and do. */
export interface ConsentQuestion {
  /** ids of client scopes */
  ids: string[];
  /** what the page lists, in this order; `${key}` stands for a text */
  texts: string[];
}

/** What the user has not allowed the client yet; nothing where nobody has to be asked. */
export async function openConsent(attempt: Attempt, user: TokenUser): Promise<ConsentQuestion | undefined> {
  const { client, kept, services } = attempt;
  // a device that somebody else holds must not get in unnoticed
  const isAsked = client.consentRequired || kept.state.device !== undefined;
  if (!isAsked || kept.state.consent) return undefined;
  const shown = chooseScopes(client, kept.state.request.scope).scopes.filter(asksConsent);
  const given = await services.database.read.userConsent.findFirst({
    where: { userId: user.id, clientId: client.id },
    select: { grantedScopes: true },
  });
  const granted = new Set(textsOf(given?.grantedScopes));
  const asksAll = kept.state.request.prompt.includes('consent') || kept.state.device !== undefined;
  // offline access is asked for each time, as a token for it lasts
  const open = shown.filter(({ id, name }) => asksAll || name === 'offline_access' || !granted.has(id));
  if (given && open.length === 0 && !asksAll) return undefined;
  const own = members(client.attributes);
  const ofClient = own['display.on.consent.screen'] === 'true' ? [String(own['consent.screen.text'] ?? '')] : [];
  const texts = open
    .map(({ name, attributes }) => {
      const { 'consent.screen.text': text, 'gui.order': order } = members(attributes);
      return { text: typeof text === 'string' && text !== '' ? text : name, order: orderOf(order) };
    })
    .toSorted((one, other) => one.order - other.order || (one.text < other.text ? -1 : 1))
    .map(({ text }) => text);
  return { ids: open.map(({ id }) => id), texts: [...texts, ...ofClient.filter((text) => text !== '')] };
}

/** The place of a client scope among others: those without a number come last. */
const orderOf = (value: unknown): number => Number.parseInt(String(value), 10) || Number.MAX_SAFE_INTEGER;

/** Addresses of the documents of a client that the consent page links to, and of the logo that it shows. */
export function documentsOf({ attributes }: { attributes: unknown }): {
  policyUri?: string;
  termsUri?: string;
  logoUri?: string;
} {
  const { policyUri, tosUri, logoUri } = members(attributes);
  return {
    ...(isWebAddress(logoUri) && { logoUri: new URL(logoUri).href }),
    ...(isWebAddress(policyUri) && { policyUri }),
    ...(isWebAddress(tosUri) && { termsUri: tosUri }),
  };
}

const isWebAddress = (address: unknown): address is string =>
  typeof address === 'string' && /^https?:\/\//i.test(address) && URL.canParse(address);

/** Adds to what the user allows the client. */
export async function storeConsent(tx: Db, attempt: Attempt, user: TokenUser, ids: readonly string[]): Promise<void> {
  const { client, services } = attempt;
  const where = { userId: user.id, clientId: client.id };
  const at = BigInt(services.now());
  const given = await tx.userConsent.findFirst({ where, select: { grantedScopes: true } });
  const grantedScopes: Prisma.InputJsonArray = [...new Set([...textsOf(given?.grantedScopes), ...ids])];
  if (given) await tx.userConsent.updateMany({ where, data: { grantedScopes, lastUpdatedDate: at } });
  else await tx.insertNew('UserConsent', [{ ...where, grantedScopes, createdDate: at, lastUpdatedDate: at }]);
}
