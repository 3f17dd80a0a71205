import type { IncomingMessage } from 'node:http';
import { limit } from '../../config/limits.js';
import type { Answer } from '../../http/answer.js';
import { addressOf, baseUrlOf, requestIdOf } from '../../http/authenticate.js';
import { readText } from '../../http/body.js';
import { certificateFinder } from '../../http/client-certificate.js';
import type { ProviderAnswer } from '../../services/brokering/provider-address.js';
import { stateOf } from '../../services/brokering/provider-login.js';
import type { Services } from '../../services/core/context.js';
import type { FailedAttempts } from '../../services/core/failed-attempts.js';
import type { RealmRecord } from '../../services/core/realm.js';
import { createRealmScopedCache } from '../../services/core/scoped-cache.js';
import { logRefusedLogin } from '../../services/events/refused-login.js';
import { appearanceOf } from '../../services/login/appearance.js';
import type { Browser, LoginSite, RegisteredRedirects } from '../../services/login/attempt.js';
import { beginLink } from '../../services/login/broker/link.js';
import { afterProviderLogout, formOfLogout, isOfLogout } from '../../services/login/broker/logout.js';
import { logoutBySamlProvider } from '../../services/login/broker/saml-logout.js';
import { beginDevice } from '../../services/login/device-login.js';
import { followLink } from '../../services/login/links.js';
import {
  beginLogin,
  continueLogin,
  openRealm,
  returnFromProvider,
  type Turn,
  turnLogin,
  turnToProvider,
} from '../../services/login/login.js';
import { confirmLogout, logoutBrowser } from '../../services/login/logout.js';
import { PageRefusal } from '../../services/login/refusals.js';
import { localeOf, textsIn } from '../../services/login/texts.js';
import { refusesPlain } from '../../services/login/transport.js';
import type { TokenContext } from '../../services/tokens/context.js';
import { allowedOrigins } from '../../services/tokens/origins.js';
import { findRealmAndClient } from '../../services/tokens/parties.js';
import { accountPageAnswer } from '../account-pages/handler.js';
import type { loginRoutes } from '../public-routes.js';
import { aliasOf } from '../router.js';
import { type CookieSite, cookieOf, cookieSite, localeCookie, names } from './cookies.js';
import { frameWithoutRealm } from './failure-page.js';
import { errorPage, formPostPage, loggedOutPage } from './pages.js';
import { addressIn, loginPath, logoutAnswer, redirect, replyAnswer, type Visit } from './replies.js';
import { queryOf, samlLogoutAnswer, samlPages } from './saml.js';
import { cookieProbe, cookieVerdict, statusFrame } from './status-pages.js';
import { devicePage } from './ways.js';

type Endpoint = (message: IncomingMessage, realmName: string) => Promise<Answer>;

/** How failed attempts are counted, and for which address. */
interface Counting {
  attempts: FailedAttempts;
  counted(message: IncomingMessage): string | undefined;
}

/** A response of SAML with all groups of a user grows by a third in base64. */
const mostOfAnswer = limit('Requests', 'Form with the answer of an identity provider', 320 * 1024, 'bytes', '413');

const devicePath = '/device';
const accountPath = '/account';

/** What browsers ask of a realm below `/auth/realms/{realm}`: the pages for logging in and out. By method and path. */
export function loginEndpoints(
  services: Services,
  tokens: TokenContext,
  { attempts, counted }: Counting,
): Readonly<Record<(typeof loginRoutes)[number], Endpoint>> {
  const redirects = createRealmScopedCache<RegisteredRedirects>(
    services.feed,
    'redirects',
    services.now,
    ({ realm }) => realm.id,
  );
  const site: LoginSite = { services, tokens, attempts, redirects };

  const formOf = async (message: IncomingMessage, most = services.config.bodyLimit): Promise<URLSearchParams> => {
    const text = await readText(message, most, ['application/x-www-form-urlencoded']);
    return withoutNul(new URLSearchParams(text));
  };

  const ofBrowsers =
    (answer: (visit: Visit, message: IncomingMessage) => Promise<Answer>): Endpoint =>
    async (message, realmName) => {
      const baseUrl = baseUrlOf(message, services);
      const cookies = cookieSite(realmName, baseUrl, services.config);
      let frame = frameWithoutRealm(cookies.isSecure);
      try {
        const realm = await services.realms.byName(services.database.read, realmName);
        const query = withoutNul(new URLSearchParams((message.url ?? '').split('?')[1] ?? ''));
        if (realm) frame = await frameOf(message, realm, query, cookies);
        const browser: Browser = {
          id: cookieOf(message, names.login),
          identity: cookieOf(message, names.identity),
          ipAddress: addressOf(message, services.config.trustProxy),
          requestId: requestIdOf(message),
          countedAs: counted(message),
          baseUrl,
          userAgent: message.headers['user-agent'],
          findCertificate: certificateFinder(message, services.config),
        };
        const chosen = query.get('kc_locale');
        if (realm && refusesPlain(realm, browser)) throw new PageRefusal(403, 'httpsRequiredMessage');
        const visit = { realm: await openRealm(site, realmName), query, browser, cookies, frame };
        const done = await answer(visit, message);
        if (!chosen || !frame.texts.locales.includes(chosen)) return done;
        return { ...done, cookies: [...(done.cookies ?? []), ...localeCookie(cookies, chosen)] };
      } catch (error) {
        if (!(error instanceof PageRefusal)) throw error;
        if (error.status === 429) {
          const address = addressOf(message, services.config.trustProxy);
          const who = { client: undefined, user: undefined, address, requestId: requestIdOf(message) };
          logRefusedLogin(services, { realm: realmName, reason: 'too_many_requests', ...who });
        }
        const shown = errorPage(frame, {
          status: error.status,
          text: frame.texts.say(error.key, ...error.parameters),
          reference: requestIdOf(message),
          account: error.status === 404 ? undefined : `${cookies.paths[0]}${accountPath}/`,
        });
        const [wait] = error.status === 429 ? error.parameters : [];
        return wait === undefined ? shown : { ...shown, headers: { ...shown.headers, 'retry-after': wait } };
      }
    };

  async function frameOf(
    message: IncomingMessage,
    realm: RealmRecord,
    query: URLSearchParams,
    { isSecure }: CookieSite,
  ) {
    const language = localeOf(realm, {
      chosen: query.get('kc_locale'),
      asked: query.get('ui_locales') ?? undefined,
      cookie: cookieOf(message, names.locale),
      accepted: message.headers['accept-language'],
    });
    return {
      texts: await textsIn(services.database.read, realm, language),
      realmTitle: realm.displayName || realm.name,
      appearance: appearanceOf(realm.attributes),
      securityHeaders: realm.settings.browserSecurityHeaders,
      isSecure,
    };
  }

  const authorizeTo = (turn?: Exclude<Turn, 'restart'>) =>
    ofBrowsers(async (visit, message) => {
      const parameters = message.method === 'POST' ? await formOf(message) : visit.query;
      return replyAnswer(visit, await beginLogin(site, visit.realm, parameters, visit.browser, turn));
    });
  const authorize = authorizeTo();
  const turning = (turn: Turn) =>
    ofBrowsers(async (visit) =>
      replyAnswer(visit, await turnLogin(site, visit.realm, visit.query.get('tab_id'), turn, visit.browser)),
    );
  const mailLink = ofBrowsers(async (visit, message) => {
    // programs that look whether the address is there get no login
    if (message.method === 'HEAD') return { status: 200 };
    return replyAnswer(visit, await followLink(site, visit.realm, visit.query.get('key') ?? '', visit.browser));
  });
  const proceed = ofBrowsers(async (visit, message) => {
    const { query, realm, browser } = visit;
    const form = message.method === 'POST' ? await formOf(message) : undefined;
    const step = { tab: query.get('tab_id'), code: query.get('session_code'), form };
    return replyAnswer(visit, await continueLogin(site, realm, step, browser));
  });
  const toProvider = ofBrowsers(async (visit, message) => {
    const { realm, query, browser } = visit;
    return replyAnswer(visit, await turnToProvider(site, realm, query.get('tab_id'), aliasOf(message), browser));
  });
  const fromProvider = ofBrowsers(async (visit, message) => {
    const isForm = message.method === 'POST';
    const answer: ProviderAnswer = {
      parameters: isForm ? await formOf(message, mostOfAnswer) : visit.query,
      query: isForm ? undefined : queryOf(message),
    };
    const alias = aliasOf(message);
    if (answer.parameters.has('SAMLRequest'))
      return samlLogoutAnswer(visit, await logoutBySamlProvider(site, visit.realm, alias, answer, visit.browser));
    const state = stateOf(answer);
    if (isOfLogout(state)) return loggedOutAt(visit, alias, state);
    const reply = await returnFromProvider(site, visit.realm, alias, answer, visit.browser);
    // the answer counts once: a page that is loaded again must have an address of its own
    if (reply.kind === 'page' && !reply.notice) return redirect(addressIn(visit, reply.attempt, loginPath));
    return replyAnswer(visit, reply);
  });
  const link = ofBrowsers(async (visit, message) =>
    replyAnswer(visit, await beginLink(site, visit.realm, aliasOf(message), visit.query, visit.browser)),
  );
  // the cookies went with the session: any page can send a browser here
  const loggedOutAt = async ({ realm, frame }: Visit, alias: string, state: string | null): Promise<Answer> => {
    const to = await afterProviderLogout(site, realm, alias, state);
    return to === undefined ? loggedOutPage(frame) : redirect(to);
  };
  const loggedOutAtProvider = ofBrowsers((visit, message) =>
    loggedOutAt(visit, aliasOf(message), visit.query.get('state')),
  );
  const logoutForm = ofBrowsers(async ({ realm, query, frame }, message) => {
    const to = await formOfLogout(site, realm, aliasOf(message), query.get('state'));
    return to?.form ? formPostPage(frame, to.address, to.form) : loggedOutPage(frame);
  });
  const device = ofBrowsers(async (visit, message) => {
    const { realm, query, browser, frame, cookies } = visit;
    const form = message.method === 'POST' ? await formOf(message) : undefined;
    const typed = form?.get('device_user_code') ?? undefined;
    const reply = typed === undefined ? undefined : await beginDevice(site, realm, typed, browser);
    if (reply) return replyAnswer(visit, reply);
    const path = `${cookies.paths[0]}${devicePath}`;
    return devicePage(frame, path, typed ?? query.get('user_code') ?? '', typed !== undefined);
  });
  const logout = ofBrowsers(async (visit) =>
    logoutAnswer(visit, await logoutBrowser(site, visit.realm, visit.query, visit.browser)),
  );
  const logoutConfirmed = ofBrowsers(async (visit, message) =>
    logoutAnswer(visit, await confirmLogout(site, visit.realm, await formOf(message), visit.browser)),
  );
  const pages = accountPageAnswer(services);
  const account = ofBrowsers(async (visit, message) =>
    pages(visit, message, message.method === 'POST' ? await formOf(message) : undefined),
  );
  const saml = samlPages(site, formOf);
  return {
    'GET /protocol/saml': ofBrowsers(saml['GET /protocol/saml']),
    'POST /protocol/saml': ofBrowsers(saml['POST /protocol/saml']),
    'GET /protocol/saml/clients/{name}': ofBrowsers(saml['GET /protocol/saml/clients/{name}']),
    'GET /protocol/saml/continue': ofBrowsers(saml['GET /protocol/saml/continue']),
    'POST /protocol/saml/resolve': ofBrowsers(saml['POST /protocol/saml/resolve']),
    'GET /protocol/openid-connect/auth': authorize,
    'POST /protocol/openid-connect/auth': authorize,
    'GET /login-actions/authenticate': proceed,
    'POST /login-actions/authenticate': proceed,
    'GET /protocol/openid-connect/registrations': authorizeTo('registration'),
    'GET /protocol/openid-connect/forgot-credentials': authorizeTo('reset'),
    'GET /login-actions/reset-credentials': turning('reset'),
    'GET /login-actions/registration': turning('registration'),
    'GET /login-actions/restart': turning('restart'),
    'GET /login-actions/action-token': mailLink,
    'GET /device': device,
    'POST /device': device,
    'GET /protocol/openid-connect/logout': logout,
    'POST /login-actions/logout-confirm': logoutConfirmed,
    'GET /account': account,
    'POST /account': account,
    'GET /account/{page}': account,
    'POST /account/{page}': account,
    'GET /broker/{alias}/login': toProvider,
    'GET /broker/{alias}/endpoint': fromProvider,
    'POST /broker/{alias}/endpoint': fromProvider,
    'GET /broker/{alias}/endpoint/logout_request': logoutForm,
    'GET /broker/{alias}/endpoint/logout_response': loggedOutAtProvider,
    'GET /broker/{alias}/link': link,
    'GET /protocol/openid-connect/login-status-iframe.html': ofBrowsers(async () => statusFrame),
    'GET /protocol/openid-connect/login-status-iframe.html/init': (message, realmName) =>
      mayAsk(tokens, message, realmName, baseUrlOf(message, services)),
    'GET /protocol/openid-connect/3p-cookies/step1.html': ofBrowsers(async () => cookieProbe),
    'GET /protocol/openid-connect/3p-cookies/step2.html': ofBrowsers(async () => cookieVerdict),
  };
}

/** A database may not be able to hold a NUL. */
const withoutNul = (parameters: URLSearchParams): URLSearchParams =>
  new URLSearchParams([...parameters].map(([name, value]) => [name, value.replaceAll('\0', '')]));

/** Whether pages of an origin may ask for the status of a client's session. */
async function mayAsk(
  tokens: TokenContext,
  message: IncomingMessage,
  realmName: string,
  baseUrl: string,
): Promise<Answer> {
  const query = new URLSearchParams((message.url ?? '').split('?')[1] ?? '');
  const { client } = await findRealmAndClient(tokens, realmName, query.get('client_id') ?? undefined);
  const origin = query.get('origin') ?? '';
  const own = client?.enabled ? allowedOrigins(client, baseUrl) : [];
  return { status: origin !== '' && (own.includes(origin) || own.includes('*')) ? 204 : 403 };
}
