import type { Db } from '../../../database/db.js';
import type { Prisma } from '../../../generated/sqlite/client.js';
import { members, numberOf, ownMember } from '../../core/json.js';
import { writeXml } from '../../core/xml.js';
import { encryptElement, readCertificate } from '../../saml/encrypt.js';
import { type Finish, type Message, newMessageId, parametersOf, status } from '../../saml/messages.js';
import { statuses } from '../../saml/names.js';
import { notesOfPart, sessionIndex } from '../../saml/session-part.js';
import { type SamlSettings, samlSettings, signingFor } from '../../saml/settings.js';
import { type Signing, signElement } from '../../saml/sign.js';
import { lifetimesOf } from '../../sessions/lifetime.js';
import { issuerOf, seconds } from '../../tokens/context.js';
import { groupsFor } from '../../tokens/groups.js';
import { upToDate } from '../../tokens/parties.js';
import { effectiveRoles } from '../../tokens/roles.js';
import { knownScopes, mappersOf } from '../../tokens/scopes.js';
import type { TokenMapper, TokenUser } from '../../tokens/types.js';
import { type Attempt, atNow, loginFailed } from '../attempt.js';
import { ClientRefusal, PageRefusal, unmetLevel } from '../refusals.js';
import type { AnswerAddress, AuthorizationRequest, SamlRequest } from '../request.js';
import { assertionOf, type Statement } from './assertion.js';
import { type AssertionInput, audiences, mappedAttributes } from './attributes.js';
import { formatFor, keepNameId, nameIdOf } from './name-id.js';
import { useMessage } from './used-message.js';

/** A response to a SAML client, before the login has ended. */
export interface PreparedResponse {
  request: SamlRequest;
  settings: SamlSettings;
  statement: Statement;
}

/** A login that is answered. */
type Answered = Pick<Attempt, 'services' | 'tokens' | 'realm' | 'client' | 'browser'> & {
  request: AuthorizationRequest;
};

/** Where the browser takes a message, with its parameters. */
export interface SamlAnswer {
  to: AnswerAddress;
  parameters: Record<string, string>;
}

/**
 * Reads everything that the response to a SAML client consists of. `notes` are those of a session that begins. Throws a
 * `ClientRefusal` if the user has no name in the format for the client, or the assertion cannot be encrypted.
 */
export async function prepareResponse(
  attempt: Attempt,
  given: TokenUser,
  notes: Readonly<Record<string, string>>,
): Promise<PreparedResponse | undefined> {
  const { tokens, realm, client, browser, kept } = attempt;
  const { saml: request, redirectUri } = kept.state.request;
  if (!request) return undefined;
  const settings = samlSettings(client.attributes);
  if (settings.encryption && readCertificate(settings.encryption.certificate)?.publicKey.asymmetricKeyType !== 'rsa') {
    await loginFailed(attempt, 'invalid_client', { reason: 'no_encryption_certificate' });
    throw new ClientRefusal('server_error', 'The client has no certificate for encryption');
  }
  const user = await upToDate(tokens, realm, given);
  if (!user?.enabled) throw new PageRefusal(400, 'accountDisabledMessage');
  const input = await inputOf(attempt, user, settings, notes);
  const { mappers } = input;
  const nameId = nameIdOf(user, client.clientId, formatFor(settings, request.nameIdFormat), mappers);
  if (!nameId) {
    await loginFailed(attempt, 'invalid_authn_request', { reason: 'no_name_id' });
    throw new ClientRefusal('invalid_name_id_policy');
  }
  const at = atNow(attempt);
  const lifespan = (name: string, standard: number) =>
    settings.assertionLifespan > 0 ? settings.assertionLifespan : Math.max(1, numberOf(realm.settings, name, standard));
  const { max } = lifetimesOf(realm.settings, { offline: false, rememberMe: kept.state.rememberMe ?? false });
  const { state } = kept;
  const statement: Statement = {
    id: newMessageId(),
    issuer: issuerOf(browser.baseUrl, realm.name),
    at,
    nameId,
    recipient: redirectUri,
    inResponseTo: request.id,
    audiences: audiences(mappers, input),
    attributes: mappedAttributes(mappers, input),
    deliverableUntil: at + lifespan('accessTokenLifespan', 300),
    validUntil: at + lifespan('accessCodeLifespan', 60),
    isForOneUse: settings.hasOneTimeUse,
    session: settings.hasAuthnStatement
      ? {
          index: sessionIndex(state.sid, client.id),
          authTime: state.authTime ?? at,
          until: max === undefined ? undefined : at + max,
        }
      : undefined,
  };
  return { request, settings, statement };
}

async function inputOf(
  { services, realm, client, kept }: Attempt,
  user: TokenUser,
  { joinsRoles }: SamlSettings,
  notes: Readonly<Record<string, string>>,
): Promise<AssertionInput & { mappers: TokenMapper[] }> {
  const { read } = services.database;
  const chosen = knownScopes(client, undefined);
  const effective = await effectiveRoles(read, user.id, realm.id, client);
  const scope = { ...chosen, scopes: chosen.scopes.filter((one) => effective.permits(one)) };
  // the database knows no order of them
  const mappers = mappersOf(client, scope).toSorted((one, other) => (one.name < other.name ? -1 : 1));
  const { session } = kept.state;
  const asksNotes = mappers.some(({ protocolMapper }) => protocolMapper === 'saml-user-session-note-mapper');
  const where = { sid: session?.sid ?? '', offline: false, realmId: realm.id };
  const stored = asksNotes && session ? await read.userSession.findFirst({ where, select: { notes: true } }) : null;
  return {
    user,
    client,
    roles: effective.within(client, scope.scopes),
    groups: await groupsFor(read, user, client, scope),
    notes: { ...members(stored?.notes), ...(session?.again === false ? {} : notes) },
    joinsRoles,
    mappers,
  };
}

/**
 * Stores what the end of a login means for a SAML client: that its request was answered, and how it knows the user. Returns
 * the notes of the part of the client in the session. Throws a page if the request was answered before.
 */
export async function storeResponse(
  tx: Db,
  { services, client }: Pick<Attempt, 'services' | 'client'>,
  userId: string,
  { request, statement }: PreparedResponse,
): Promise<Prisma.InputJsonObject> {
  if (request.id !== undefined && !(await useMessage(tx, services, client, request.id))) {
    throw new PageRefusal(400, 'loginExpired');
  }
  statement.nameId = { ...statement.nameId, value: await keepNameId(tx, userId, statement.nameId) };
  return notesOfPart(statement.nameId);
}

/** The response that tells a SAML client of a login. */
export async function respond(attempt: Attempt, { settings, statement }: PreparedResponse): Promise<SamlAnswer> {
  const { request } = attempt.kept.state;
  const signing =
    settings.signsDocuments || settings.signsAssertions
      ? await signingFor(attempt.services, attempt.realm, settings)
      : undefined;
  const assertion = assertionOf(statement);
  const marker = newMessageId();
  const { encryption } = settings;
  const content = encryption ? { 'saml:EncryptedAssertion': marker } : assertion;
  const finish: Finish = async (text) => {
    const sign = (xml: string) => (signing && settings.signsAssertions ? signElement(xml, statement.id, signing) : xml);
    if (!encryption) return sign(text);
    const encrypted = await encryptElement(await sign(await writeXml(assertion, { pretty: false })), encryption);
    return text.replace(marker, () => encrypted.trim());
  };
  return answer({ ...attempt, request }, { ...status(statuses.success), ...content }, settings, signing, finish);
}

const refusalStatuses: Record<string, string> = {
  login_required: statuses.noPassive,
  interaction_required: statuses.noPassive,
  consent_required: statuses.noPassive,
  access_denied: statuses.requestDenied,
  invalid_name_id_policy: statuses.invalidNameIdPolicy,
  unsupported_binding: statuses.unsupportedBinding,
  [unmetLevel]: statuses.noAuthnContext,
};

/** The response that tells a SAML client that there is no login. */
export async function refuse(answered: Answered, { error }: ClientRefusal): Promise<SamlAnswer> {
  const settings = samlSettings(answered.client.attributes);
  const signing = settings.signsDocuments ? await signingFor(answered.services, answered.realm, settings) : undefined;
  const detail = ownMember(refusalStatuses, error) ?? statuses.requestUnsupported;
  return answer(answered, status(statuses.responder, detail), settings, signing);
}

async function answer(
  { request, realm, browser, tokens }: Answered,
  content: Message['content'],
  settings: SamlSettings,
  signing: Signing | undefined,
  finish?: Finish,
): Promise<SamlAnswer> {
  const { saml, redirectUri, responseMode } = request;
  const message: Message = {
    name: 'Response',
    envelope: {
      id: newMessageId(),
      issuer: issuerOf(browser.baseUrl, realm.name),
      destination: redirectUri,
      at: seconds(tokens),
      inResponseTo: saml?.id,
    },
    content,
  };
  const sending = {
    binding: responseMode === 'query' ? ('redirect' as const) : ('post' as const),
    relayState: saml?.relayState,
    signing: settings.signsDocuments ? signing : undefined,
    namesKey: settings.namesKeyInExtension,
  };
  return { to: request, parameters: await parametersOf(message, sending, finish) };
}
