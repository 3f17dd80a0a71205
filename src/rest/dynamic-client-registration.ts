import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import { type Answer, json, noContent } from '../http/answer.js';
import { contextOf } from '../http/authenticate.js';
import { readJson } from '../http/body.js';
import { authenticated } from '../services/client-registration/client-proof.js';
import { asMetadataFault } from '../services/client-registration/faults.js';
import { type RegisteredTarget, toChange, toRead, toRegister } from '../services/client-registration/locate.js';
import { OidcClientRepresentation } from '../services/client-registration/metadata.js';
import { changedClientOf, newClientOf } from '../services/client-registration/openid.js';
import * as registration from '../services/client-registration/operations.js';
import { recordingRefusal, recordRegistrationEvent } from '../services/client-registration/refusal-event.js';
import { entrantOf, type Registrant } from '../services/client-registration/registrant.js';
import { metadataOf } from '../services/client-registration/to-metadata.js';
import { encodeClient } from '../services/clients/encode.js';
import { ClientRepresentation } from '../services/clients/representation.js';
import { openedAttributes } from '../services/clients/secrets.js';
import type { Context, Services } from '../services/core/context.js';
import type { Operation } from '../services/core/operation.js';
import { perform, performWrite } from '../services/core/perform.js';
import type { RealmRecord } from '../services/core/realm.js';
import { Refusal } from '../services/core/refusal.js';
import { decode } from '../services/core/shape.js';
import { refusesPlain } from '../services/login/transport.js';
import { callerOf } from '../services/tokens/caller.js';
import { issuerOf, type TokenContext } from '../services/tokens/context.js';
import { oauthError } from '../services/tokens/oauth-error.js';
import { realmDoesNotExist } from '../services/tokens/parties.js';
import type { BearerVerifier } from '../services/tokens/verify.js';
import { type OAuthCallerForm, type OAuthCallerRoute, oauthCallerRoute } from './oauth-caller-routes.js';
import { decodedSegment } from './router.js';

/** One request below `/clients-registrations`, after its token was looked at. */
interface Asked {
  ctx: Context;
  realm: RealmRecord;
  by: Registrant;
  /** address of the provider's registrations */
  base: string;
  body(): Promise<unknown>;
}

interface AskedOfClient extends Asked {
  clientId: string;
}

/** How clients are described at the addresses of a provider. */
interface Form {
  protocol?: string;
  shape: z.ZodType;
  input(asked: Asked, target: { client?: RegisteredTarget['client'] }): Promise<unknown>;
  body(result: registration.Registration, asked: Asked, at: { address: string; isNew?: boolean }): unknown;
}

/** ClientRepresentation, as the client itself sees it: with its secrets. */
const representation: Form = {
  shape: ClientRepresentation,
  input: ({ body }) => body(),
  body: ({ client, secret, token }, { ctx }) => ({
    ...encodeClient(client),
    attributes: openedAttributes(client, ctx.services.sealer),
    defaultRoles: [],
    ...(secret !== undefined && { secret }),
    ...(token !== undefined && { registrationAccessToken: token }),
  }),
};

/** The metadata of RFC 7591. */
const metadata: Form = {
  shape: OidcClientRepresentation,
  protocol: 'openid-connect',
  input: async ({ ctx, realm, body }, { client }) => {
    const given = decode(OidcClientRepresentation, await body());
    if (!client) return newClientOf(ctx, realm, given);
    return { ...changedClientOf(ctx, client, given), clientId: given.client_id };
  },
  body: (result, { ctx }, { address, isNew }) =>
    metadataOf(result, { address, ...(isNew && { issuedAt: Math.floor(ctx.services.now() / 1000) }) }),
};

const forms = new Map<string, Form>([
  ['default', representation],
  ['openid-connect', metadata],
]);

const prefix = '/realms/{realm}/clients-registrations';

/** What there is below `/clients-registrations`, for the documents. */
export const registrationRoutes: readonly OAuthCallerRoute[] = [
  ...[...forms].flatMap(([provider, { shape }]) => {
    const returns = { shape, list: false };
    const row = (at: string, operation: Operation, security: string[], form: OAuthCallerForm) =>
      oauthCallerRoute(at, `${prefix}/${provider}`, operation, security, form);
    const body = { takes: 'json', accepts: shape, returns } as const;
    return [
      row('POST ', registration.register, ['registration', 'bearer', ''], { ...body, status: 201 }),
      row('GET /{clientId}', registration.get, ['registration', 'bearer'], { returns }),
      row('PUT /{clientId}', registration.update, ['registration', 'bearer'], body),
      row('DELETE /{clientId}', registration.remove, ['registration', 'bearer'], { status: 204 }),
    ];
  }),
  oauthCallerRoute(
    'GET /install/{clientId}',
    prefix,
    registration.adapterSettings,
    ['client', 'registration', 'bearer'],
    {
      returns: { shape: z.record(z.string(), z.unknown()), list: false },
    },
  ),
];

const addressOf = ({ base }: Asked, clientId: string): string => `${base}/${encodeURIComponent(clientId)}`;

async function create(asked: Asked, form: Form): Promise<Answer> {
  const { ctx, realm, by } = asked;
  return recordingRefusal(ctx, realm, 'CLIENT_REGISTER', async () => {
    const locate = (at: Context) => toRegister(at, realm, by);
    const { result } = await performWrite(ctx, registration.register, locate, () => form.input(asked, {}));
    const address = addressOf(asked, result.client.clientId);
    return { status: 201, headers: { location: address }, body: form.body(result, asked, { address, isNew: true }) };
  });
}

const wanted = ({ clientId }: AskedOfClient, { protocol }: Pick<Form, 'protocol'>) => ({ clientId, protocol });

async function show(asked: AskedOfClient, form: Form): Promise<Answer> {
  const { ctx, realm, by, clientId } = asked;
  return recordingRefusal(ctx, realm, 'CLIENT_INFO', async () => {
    const result = await perform(ctx, registration.get, (at) => toRead(at, realm, by, wanted(asked, form)));
    await recordRegistrationEvent(ctx, realm, { type: 'CLIENT_INFO', clientId });
    return json(form.body(result, asked, { address: addressOf(asked, clientId) }));
  });
}

async function change(asked: AskedOfClient, form: Form): Promise<Answer> {
  const { ctx, realm, by, clientId } = asked;
  return recordingRefusal(ctx, realm, 'CLIENT_UPDATE', async () => {
    const target = await toChange(ctx, realm, by, wanted(asked, form));
    const input = () => form.input(asked, target);
    const { result } = await performWrite(ctx, registration.update, async () => target, input);
    // the reference names the client twice here; requests to such an address are answered, too
    const address = `${addressOf(asked, clientId)}/${encodeURIComponent(clientId)}`;
    return json(form.body(result, asked, { address }));
  });
}

async function remove(asked: AskedOfClient, form: Form): Promise<Answer> {
  const { ctx, realm, by } = asked;
  return recordingRefusal(ctx, realm, 'CLIENT_DELETE', async () => {
    await performWrite(ctx, registration.remove, (at) => toChange(at, realm, by, wanted(asked, form)));
    return noContent;
  });
}

const methods = new Map([
  ['GET', show],
  ['PUT', change],
  ['DELETE', remove],
]);

const notAllowed = (...allowed: string[]): Answer => ({
  status: 405,
  headers: { allow: [...allowed, 'OPTIONS'].join(', ') },
  body: { error: 'RESTEASY003650: No resource method found' },
});

/** What there is at `/auth/realms/{realm}/clients-registrations/`: clients register and manage themselves. */
export function clientsRegistrations(services: Services, tokens: TokenContext, verifier: BearerVerifier) {
  const { config, database, realms } = services;

  /** The settings for an adapter. The client itself may prove who it is by its secret; a public one need not. */
  async function install(asked: AskedOfClient, message: IncomingMessage): Promise<Answer> {
    const { ctx, realm, by, clientId } = asked;
    return recordingRefusal(ctx, realm, 'CLIENT_INFO', async () => {
      if (by.kind === 'anonymous') {
        await authenticated(tokens, realm, { clientId, authorization: message.headers.authorization }, ctx);
      }
      const locate = (at: Context) =>
        toRead(at, realm, by.kind === 'anonymous' ? { ...by, kind: 'client' } : by, { clientId });
      const settings = await perform(ctx, registration.adapterSettings, locate);
      await recordRegistrationEvent(ctx, realm, { type: 'CLIENT_INFO', clientId });
      return json(settings);
    });
  }

  async function answer(message: IncomingMessage, realmName: string, path: string): Promise<Answer> {
    const realm = await realms.byName(database.read, realmName);
    if (!realm) throw realmDoesNotExist();
    // the address may name the client twice, as answers to updates do
    const [, provider = '', segment] = /^([^/]+)(?:\/([^/]+)(?:\/\2)?)?$/.exec(path) ?? [];
    const form = forms.get(provider);
    if (!form && provider !== 'install') {
      throw new Refusal('notFound', 'Client registration provider not found', { member: 'error' });
    }
    if (!realm.enabled) throw oauthError(403, 'access_denied', 'Realm not enabled');
    const entry = contextOf(services, message, {
      userId: '',
      realmId: realm.id,
      realmName,
      clientId: '',
      tokenRoles: {},
      realmRoles: [],
    });
    if (refusesPlain(realm, entry)) throw oauthError(403, 'invalid_request', 'HTTPS required');
    const { authorization } = message.headers;
    const { method = 'GET' } = message;
    const event = eventOf(method, segment);
    const { by, caller } = await recordingRefusal(entry, realm, event, () =>
      entrantOf(services, verifier, callerOf, realm, authorization),
    );
    const ctx = contextOf(services, message, caller);
    const base = `${issuerOf(ctx.baseUrl, realm.name)}/clients-registrations/${provider}`;
    const asked = { ctx, realm, by, base, body: () => readJson(message, config.bodyLimit) };
    if (segment === undefined) return form && method === 'POST' ? create(asked, form) : notAllowed('POST');
    const ofClient = { ...asked, clientId: decodedSegment(segment) };
    const isRead = method === 'GET' || method === 'HEAD';
    if (!form) return isRead ? install(ofClient, message) : notAllowed('GET');
    const handle = methods.get(isRead ? 'GET' : method);
    return handle ? handle(ofClient, form) : notAllowed(...methods.keys());
  }

  return async (message: IncomingMessage, realmName: string, path: string): Promise<Answer> => {
    try {
      return await answer(message, realmName, path);
    } catch (error) {
      throw asMetadataFault(error);
    }
  };
}

const events = new Map([
  ['PUT', 'CLIENT_UPDATE'],
  ['DELETE', 'CLIENT_DELETE'],
]);

const eventOf = (method: string, segment: string | undefined): string =>
  events.get(method) ?? (segment === undefined ? 'CLIENT_REGISTER' : 'CLIENT_INFO');
