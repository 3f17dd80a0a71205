import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { readConfig } from '../../src/config/config.js';
import { migrate } from '../../src/database/migrate.js';
import { openDatabase } from '../../src/database/open.js';
import { publishedMetadata } from '../../src/services/brokering/saml/published-metadata.js';
import { sealedSecret } from '../../src/services/clients/secrets.js';
import { fetchPublic } from '../../src/services/core/fetch-public.js';
import { createSealer } from '../../src/services/core/seal.js';
import { placeOfCredential } from '../../src/services/core/sealed-columns.js';
import { hashPassword } from '../../src/services/credentials/hashing.js';
import { createKeyring } from '../../src/services/keys/keyring.js';
import { keyProviderType } from '../../src/services/keys/provider.js';
import { createTouches } from '../../src/services/sessions/touch.js';
import { publishedKeys } from '../../src/services/tokens/client-keys.js';
import { grantToken } from '../../src/services/tokens/grants.js';
import { atEndOfFile, freshDatabaseUrl } from '../support/database.js';
import { slowClockAhead } from '../support/slow-clock.js';
import { noteClock } from '../support/statements.js';

export type World = Awaited<ReturnType<typeof openWorld>>;

export const baseUrl = 'https://id.example/auth';

/** An empty database with the parts that issue and verify tokens, on a clock that a test can move. */
export async function openWorld() {
  const databaseUrl = await freshDatabaseUrl();
  await migrate(databaseUrl);
  const database = await openDatabase({ ...readConfig({ DATABASE_URL: databaseUrl }), sqliteSynchronous: 'NORMAL' });
  atEndOfFile(() => database.close());
  let moved = 0;
  const now = slowClockAhead(() => moved);
  noteClock(database, now);
  const sealer = createSealer({ key: new Uint8Array(32).fill(1) });
  const keyring = createKeyring({ database, sealer, now });
  const outgoing = fetchPublic({ privateAddresses: true });
  const touches = createTouches({ database, log: pino({ level: 'silent' }) });
  return {
    database,
    sealer,
    keyring,
    now,
    context: {
      database,
      sealer,
      keyring,
      now,
      newId: randomUUID,
      touches,
      feed: { announce: () => undefined, retract: () => undefined, publish: () => undefined },
      publishedKeys: publishedKeys(outgoing),
      publishedMetadata: publishedMetadata(outgoing, now),
      fetchPublic: outgoing,
      config: { publicUrl: undefined, hosts: undefined, cibaChannelUrl: undefined },
    },
    /** Moves the clock on, in milliseconds. */
    wait: (milliseconds: number) => {
      moved += milliseconds;
    },
  };
}

/** Key providers as a new realm has them, with small keys where that is enough. */
const providers = (realmId: string, config: Record<string, Record<string, string[]>> = {}) =>
  ['rsa-generated', 'hmac-generated', 'aes-generated'].map((providerId) => ({
    id: randomUUID(),
    realmId,
    parentId: realmId,
    name: providerId,
    providerId,
    providerType: keyProviderType,
    config: { priority: ['100'], ...config[providerId] },
  }));

/** Makes a realm with key providers and returns its id. */
export async function makeRealm({ database }: World, name: string, settings: object = {}): Promise<string> {
  const id = randomUUID();
  await database.transaction(async (tx) => {
    const standard = { loginWithEmailAllowed: true, ...settings };
    await tx.realm.createMany({ data: [{ id, name, enabled: true, settings: standard }] });
    await tx.component.createMany({ data: providers(id) });
    const { flows, executions } = directGrantFlow(id);
    await tx.authenticationFlow.createMany({ data: flows });
    await tx.authenticationExecution.createMany({ data: executions });
  });
  return id;
}

/** The flow for direct grants as a new realm has it. */
function directGrantFlow(realmId: string) {
  const [top, conditional] = [randomUUID(), randomUUID()];
  const flow = (id: string, alias: string, topLevel: boolean) => ({ id, realmId, alias, topLevel, builtIn: true });
  const step = (flowId: string, authenticator: string, priority: number) => {
    const more = authenticator === '' ? { subflowId: conditional } : { authenticator };
    const requirement = authenticator === '' ? 'CONDITIONAL' : 'REQUIRED';
    return { id: randomUUID(), realmId, flowId, requirement, priority, ...more };
  };
  return {
    flows: [flow(top, 'direct grant', true), flow(conditional, 'Direct Grant - Conditional OTP', false)].map((row) => ({
      ...row,
      providerId: 'basic-flow',
    })),
    executions: [
      step(top, 'direct-grant-validate-username', 10),
      step(top, 'direct-grant-validate-password', 20),
      step(top, '', 30),
      step(conditional, 'conditional-user-configured', 10),
      step(conditional, 'direct-grant-validate-otp', 20),
    ],
  };
}

/** Makes a client and returns its id; by default a public one that passwords may be sent through. */
export async function makeClient(
  world: World,
  realmId: string,
  clientId: string,
  fields: object = {},
): Promise<string> {
  const id = randomUUID();
  const { secret, ...rest } = fields as { secret?: string };
  await world.database.transaction((tx) =>
    tx.client.createMany({
      data: [
        {
          id,
          realmId,
          clientId,
          publicClient: secret === undefined,
          directAccessGrantsEnabled: true,
          secret: secret === undefined ? null : sealedSecret({ id, realmId }, secret, world.sealer),
          ...rest,
        },
      ],
    }),
  );
  return id;
}

/** Makes a user whose password is the user name with `pw-` in front, and returns the id. */
export async function makeUser(world: World, realmId: string, username: string, fields: object = {}): Promise<string> {
  const id = randomUUID();
  const { credentialData, secretData } = await hashPassword(`pw-${username}`, { iterations: 2 });
  await world.database.transaction(async (tx) => {
    await tx.user.createMany({ data: [{ id, realmId, username, enabled: true, ...fields }] });
    const credential = { id: randomUUID(), userId: id, type: 'password', createdDate: BigInt(world.now()) };
    const secret = world.sealer.seal(secretData, placeOfCredential(credential));
    await tx.credential.createMany({ data: [{ ...credential, credentialData, secretData: secret }] });
  });
  return id;
}

/** Makes a role of a client or of the realm, and returns its id. */
export async function makeRole({ database }: World, realmId: string, name: string, clientId?: string): Promise<string> {
  const id = randomUUID();
  const container = clientId ?? realmId;
  await database.transaction((tx) =>
    tx.role.createMany({ data: [{ id, realmId, clientId: clientId ?? null, container, name }] }),
  );
  return id;
}

/** Sends a form to the token endpoint. */
export const send = (world: World, realmName: string, form: Record<string, string>, headers: object = {}) =>
  grantToken(world.context, { realmName, form: new URLSearchParams(form), baseUrl, ...headers });
