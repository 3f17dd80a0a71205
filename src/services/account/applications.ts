import type { Prisma } from '../../generated/sqlite/client.js';
import type { Context } from '../core/context.js';
import { members, textsOf } from '../core/json.js';
import { representation, text } from '../core/shape.js';
import { rootOf } from '../login/redirect-uri.js';
import { textsIn } from '../login/texts.js';
import { aliveAt } from '../sessions/lifetime.js';
import type { Account } from './account.js';
import { ownRead } from './operation.js';
import { preferredLocale } from './preferred-locale.js';

/** Maximum applications in the list. */
const mostApplications = 500;

/** A client scope to which a user has consented. */
interface GrantedScope {
  id: string;
  name: string;
  /** text of the consent page */
  displayTest: string;
}

/** The consent of a user to a client. Times are in milliseconds since 1970. */
export interface OwnConsent {
  grantedScopes: GrantedScope[];
  createdDate: number;
  lastUpdatedDate: number;
}

/** A client that a user uses, may use, or has consented to. */
export interface Application {
  clientId: string;
  clientName?: string;
  description?: string;
  userConsentRequired: boolean;
  inUse: boolean;
  offlineAccess: boolean;
  rootUrl?: string;
  baseUrl?: string;
  effectiveUrl?: string;
  consent?: OwnConsent;
}

/** Columns of a consent. */
export const consentSelect = { grantedScopes: true, createdDate: true, lastUpdatedDate: true } as const;

type ConsentRow = Prisma.UserConsentGetPayload<{ select: typeof consentSelect }>;

/** Returns a function that encodes consents with the client scopes of the realm, in the language of the user. */
export async function consentEncoder(
  ctx: Context,
  { realm, user }: Account,
  given: readonly Pick<ConsentRow, 'grantedScopes'>[],
): Promise<(row: ConsentRow) => OwnConsent> {
  const ids = [...new Set(given.flatMap(({ grantedScopes }) => textsOf(grantedScopes)))];
  const [rows, texts] = await Promise.all([
    ids.length === 0
      ? []
      : ctx.db.clientScope.findMany({
          where: { realmId: realm.id, id: { in: ids } },
          select: { id: true, name: true, attributes: true },
          orderBy: { name: 'asc' },
        }),
    textsIn(ctx.db, realm, preferredLocale(realm, user)),
  ]);
  return ({ grantedScopes, createdDate, lastUpdatedDate }) => {
    const granted = new Set(textsOf(grantedScopes));
    return {
      grantedScopes: rows
        .filter(({ id }) => granted.has(id))
        .map(({ id, name, attributes }) => {
          const shown = members(attributes)['consent.screen.text'];
          return { id, name, displayTest: typeof shown === 'string' && shown !== '' ? texts.resolve(shown) : name };
        }),
      createdDate: Number(createdDate),
      lastUpdatedDate: Number(lastUpdatedDate),
    };
  };
}

const ApplicationFilter = representation('AccountApplicationFilter', { name: text });

export const listApplications = ownRead({
  name: 'account.applications',
  summary: `Returns the clients that the caller uses, has given a consent to, or can always see, at most ${mostApplications}, in the order of their IDs.`,
  roles: ['manage-account', 'view-applications'],
  input: ApplicationFilter,
  run: async (ctx, account: Account, { name }): Promise<Application[]> => {
    const { realm, user } = account;
    const at = Math.floor(ctx.services.now() / 1000);
    const living = (offline: boolean) => ({
      session: { userId: user.id, AND: [aliveAt(realm.settings, offline, at)] },
    });
    const rows = await ctx.db.client.findMany({
      where: {
        realmId: realm.id,
        enabled: true,
        bearerOnly: false,
        OR: [
          { sessions: { some: living(false) } },
          { sessions: { some: living(true) } },
          { consents: { some: { userId: user.id } } },
          { alwaysDisplayInConsole: true },
        ],
      },
      select: {
        clientId: true,
        name: true,
        description: true,
        rootUrl: true,
        baseUrl: true,
        consentRequired: true,
        consents: { where: { userId: user.id }, select: consentSelect },
        sessions: { where: { session: { userId: user.id } }, select: { offline: true }, take: 100 },
      },
      orderBy: { clientId: 'asc' },
      take: mostApplications,
    });
    const encode = await consentEncoder(
      ctx,
      account,
      rows.flatMap(({ consents }) => consents),
    );
    const sought = name?.toLowerCase();
    return rows
      .filter((row) => sought === undefined || row.name?.toLowerCase().includes(sought))
      .map((row) => {
        const [consent] = row.consents;
        const address = effectiveUrl(ctx, row);
        return {
          clientId: row.clientId,
          ...(row.name && { clientName: row.name }),
          ...(row.description && { description: row.description }),
          userConsentRequired: row.consentRequired,
          inUse: row.sessions.some(({ offline }) => !offline),
          offlineAccess: row.sessions.some(({ offline }) => offline),
          ...(row.rootUrl && { rootUrl: row.rootUrl }),
          ...(row.baseUrl && { baseUrl: row.baseUrl }),
          ...(address !== undefined && { effectiveUrl: address }),
          ...(consent && { consent: encode(consent) }),
        };
      });
  },
});

/** The URL of a client's start page; undefined if it has none. */
function effectiveUrl(
  { baseUrl: server }: Pick<Context, 'baseUrl'>,
  { rootUrl, baseUrl }: { rootUrl: string | null; baseUrl: string | null },
): string | undefined {
  if (!baseUrl) return undefined;
  if (!baseUrl.startsWith('/')) return baseUrl;
  return rootOf({ rootUrl }, server) + baseUrl;
}
