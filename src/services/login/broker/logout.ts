import type { Db } from '../../../database/db.js';
import { type BrokerProvider, findBrokerProvider } from '../../brokering/provider.js';
import { redirectUri } from '../../brokering/redirect-uri.js';
import type { RealmRecord } from '../../core/realm.js';
import { placeOfPayload } from '../../core/sealed-columns.js';
import { inTransaction } from '../../core/unit-of-work.js';
import type { Browser, LoginSite } from '../attempt.js';
import { hashed, secretText } from '../state.js';

const purpose = 'logout at identity provider';
/** How long the provider may take to send the browser back, in seconds. */
const lifespan = 600;

type Notes = Readonly<Record<string, unknown>>;

/**
 * Logs a session out at the identity provider where it began (OpenID Connect RP-Initiated Logout 1.0). Returns the address of
 * the provider to which the browser is sent; undefined if there is none, or the provider is told without the browser.
 * `destination` is where the browser goes after that.
 */
export async function logoutAtProvider(
  { services }: LoginSite,
  realm: RealmRecord,
  { baseUrl }: Browser,
  notes: Notes,
  destination: string | undefined,
): Promise<string | undefined> {
  const alias = notes.identity_provider;
  if (typeof alias !== 'string') return undefined;
  const provider = await findBrokerProvider(services, realm.id, alias);
  const address = provider?.enabled ? provider.settings.logoutUrl?.trim() : undefined;
  if (!provider || !address || !URL.canParse(address)) return undefined;
  const url = logoutAddress(provider, address, notes);
  if (provider.settings.backchannelSupported === 'true') {
    await services.fetchPublic(url, { onlyStatus: true }).catch((error: unknown) => {
      services.log.warn(
        { realm: realm.name, provider: alias, error },
        'a user was not logged out at the identity provider',
      );
    });
    return undefined;
  }
  const state = secretText();
  const id = hashed(state);
  const payload = services.sealer.seal(JSON.stringify({ alias, destination }), placeOfPayload(id));
  const expiresAt = Math.floor(services.now() / 1000) + lifespan;
  await inTransaction(services.database, (tx) =>
    tx.insertNew('OneTimeToken', [{ id, realmId: realm.id, purpose, payload, expiresAt }]),
  );
  const back = `${redirectUri(baseUrl, realm.name, alias)}/logout_response`;
  url.searchParams.set('post_logout_redirect_uri', back);
  url.searchParams.set('state', state);
  return url.href;
}

function logoutAddress({ settings }: BrokerProvider, address: string, notes: Notes): URL {
  const url = new URL(address);
  const idToken = notes.FEDERATED_ID_TOKEN;
  if (typeof idToken === 'string') url.searchParams.set('id_token_hint', idToken);
  url.searchParams.set('client_id', settings.clientId ?? '');
  return url;
}

/** Where a browser goes on that comes back from the logout at an identity provider. Each answer counts once. */
export async function afterProviderLogout(
  { services }: LoginSite,
  realm: RealmRecord,
  alias: string,
  state: string | null,
): Promise<string | undefined> {
  const id = hashed(state ?? '');
  const now = Math.floor(services.now() / 1000);
  const payload = await inTransaction(services.database, async (tx: Db) => {
    const where = { id, realmId: realm.id, purpose, expiresAt: { gt: now } };
    const row = await tx.oneTimeToken.findFirst({ where, select: { payload: true } });
    return row && (await tx.oneTimeToken.deleteMany({ where })).count > 0 ? row.payload : undefined;
  });
  if (payload === undefined) return undefined;
  const kept = JSON.parse(services.sealer.open(payload, placeOfPayload(id))) as { alias: string; destination?: string };
  return kept.alias === alias ? kept.destination : undefined;
}
