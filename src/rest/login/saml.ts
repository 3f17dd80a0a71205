import type { IncomingMessage } from 'node:http';
import { limit } from '../../config/limits.js';
import type { Answer } from '../../http/answer.js';
import type { LoginSite } from '../../services/login/attempt.js';
import { PageRefusal } from '../../services/login/refusals.js';
import { beginInitiatedLogin, beginSamlLogin } from '../../services/login/saml/begin.js';
import {
  continueLogout,
  logoutAnswered,
  logoutByClient,
  type SamlLogoutReply,
} from '../../services/login/saml/logout.js';
import { clientMessage, refuseMessage } from '../../services/login/saml/receive.js';
import { messageOfForm, messageOfQuery, type ReceivedMessage } from '../../services/saml/bindings.js';
import { SamlFault } from '../../services/saml/document.js';
import type { samlLoginRoutes } from '../public-routes.js';
import { decodedSegment } from '../router.js';
import { noIdentityCookies } from './cookies.js';
import { loggedOutPage } from './pages.js';
import { answerTo, redirect, replyAnswer, type Visit } from './replies.js';

type Page = (visit: Visit, message: IncomingMessage) => Promise<Answer>;

/** Messages grow by a third in base64, and by their RelayState. */
const mostBytes = limit('Requests', 'Form with a SAML message', 80 * 1024, 'bytes', '413');

/** What browsers ask of a realm for SAML clients, below `/auth/realms/{realm}`. By method and path. */
export function samlPages(
  site: LoginSite,
  formOf: (message: IncomingMessage, most: number) => Promise<URLSearchParams>,
): Readonly<Record<(typeof samlLoginRoutes)[number], Page>> {
  const receive = async (visit: Visit, read: () => ReceivedMessage | undefined): Promise<Answer> => {
    const { realm, browser } = visit;
    let received: ReceivedMessage | undefined;
    try {
      received = read();
    } catch (fault) {
      if (!(fault instanceof SamlFault)) throw fault;
      throw await refuseMessage(site, realm, browser, 'invalid_token', fault.message);
    }
    if (!received && visit.query.has('SAMLart')) throw new PageRefusal(400, 'unsupportedBinding');
    if (!received) throw await refuseMessage(site, realm, browser, 'saml_token_not_found');
    if (received.parameter === 'SAMLResponse') {
      return samlLogoutAnswer(visit, await logoutAnswered(site, realm, received, browser));
    }
    const message = await clientMessage(site, realm, received, browser);
    if (message.kind === 'AuthnRequest') {
      return replyAnswer(visit, await beginSamlLogin(site, realm, message, browser));
    }
    return samlLogoutAnswer(visit, await logoutByClient(site, realm, message, browser));
  };
  return {
    'GET /protocol/saml': (visit, message) => receive(visit, () => messageOfQuery(queryOf(message))),
    'POST /protocol/saml': async (visit, message) => {
      const form = await formOf(message, mostBytes);
      return receive(visit, () => messageOfForm(form));
    },
    'GET /protocol/saml/clients/{name}': async (visit, message) => {
      const name = /\/saml\/clients\/([^/?]+)/.exec(message.url ?? '')?.[1] ?? '';
      const relayState = visit.query.get('RelayState') ?? undefined;
      const { realm, browser } = visit;
      return replyAnswer(
        visit,
        await beginInitiatedLogin(site, realm, decodedSegment(name).replaceAll('\0', ''), relayState, browser),
      );
    },
    'GET /protocol/saml/continue': async (visit) => {
      const { realm, query, browser } = visit;
      return samlLogoutAnswer(visit, await continueLogout(site, realm, query.get('key'), browser));
    },
    'POST /protocol/saml/resolve': async () => {
      throw new PageRefusal(400, 'unsupportedBinding');
    },
  };
}

/** The query of a request as it was sent. */
export const queryOf = ({ url }: IncomingMessage): string => url?.split('?').slice(1).join('?') ?? '';

/** The answer to a request of a logout. */
export function samlLogoutAnswer({ frame, cookies }: Visit, reply: SamlLogoutReply): Answer {
  const set = reply.endsSession ? { cookies: noIdentityCookies(cookies) } : {};
  if (reply.kind === 'loggedOut') return { ...loggedOutPage(frame), ...set };
  const answer = reply.kind === 'redirect' ? redirect(reply.to) : answerTo(frame, reply.to, reply.parameters);
  return { ...answer, ...set };
}
