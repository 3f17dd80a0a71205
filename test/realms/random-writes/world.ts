import type { Answer, Caller } from '../../support/fixture.js';
import { randomFrom } from '../desired/edits.js';

/** An object of the contract. */
export type Json = Record<string, unknown>;

export const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
/** The objects of a list; none for anything else. */
const listOf = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isJson) : []);
const mapOf = (value: unknown): Json => (isJson(value) ? value : {});

/** The objects of a realm that random writes refer to. */
interface Content {
  realm: Json;
  clients: Json[];
  users: Json[];
  groups: Json[];
  realmRoles: Json[];
  /** by the ID of the client */
  clientRoles: Map<string, Json[]>;
  clientScopes: Json[];
  flows: Json[];
  /** executions of flows that can be changed */
  executions: Json[];
  configs: Json[];
  identityProviders: Json[];
  identityProviderMappers: Json[];
  components: Json[];
  requiredActions: Json[];
  /** by the ID of the client */
  authorization: Map<string, { resource: Json[]; scope: Json[]; policy: Json[]; permission: Json[] }>;
}

/** A realm under random writes, and the choices that its seed makes. */
export interface World {
  readonly name: string;
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  chance(probability: number): boolean;
  /** One of these; undefined of an empty list. */
  pick<T>(list: readonly T[]): T | undefined;
  content: Content;
  /** Reads what the realm has now. */
  refresh(): Promise<void>;
}

const withSubgroups = (groups: Json[]): Json[] =>
  groups.flatMap((group) => [group, ...withSubgroups(listOf(group['subGroups']))]);
const withSubcomponents = (byType: Json): Json[] =>
  Object.values(byType)
    .flatMap(listOf)
    .flatMap((component) => [component, ...withSubcomponents(mapOf(component['subComponents']))]);

/** Creates a realm with something of each kind, and returns it with the choices of a seed. */
export async function createWorld(admin: Caller, name: string, seed: number): Promise<World> {
  const random = randomFrom(seed * 7919);
  const made = await admin.send('POST', '/admin/realms', firstRealm(name));
  if (made.status !== 201) throw new Error(`The realm was not created: ${JSON.stringify(made.body)}`);
  const send: World['send'] = (method, path, body, headers) =>
    admin.send(method, `/admin/realms/${name}${path}`, body, headers);
  await send('POST', '/authentication/flows', {
    alias: 'own',
    providerId: 'basic-flow',
    topLevel: true,
    builtIn: false,
  });
  const below = { alias: 'below', type: 'basic-flow', provider: 'registration-page-form' };
  await send('POST', '/authentication/flows/own/executions/flow', below);
  await send('POST', '/authentication/flows/own/executions/execution', { provider: 'identity-provider-redirector' });
  const world: World = {
    name,
    send,
    chance: (probability) => random() < probability,
    pick: (list) => list[Math.floor(random() * list.length)],
    content: await contentOf(send),
    async refresh() {
      world.content = await contentOf(send);
    },
  };
  return world;
}

const firstRealm = (realm: string): Json => ({
  realm,
  enabled: true,
  users: [{ username: 'u1', enabled: true, credentials: [{ type: 'password', value: 'x' }] }],
  groups: [{ name: 'g1', subGroups: [{ name: 'g2' }] }],
  clients: [
    { clientId: 'az', serviceAccountsEnabled: true, authorizationServicesEnabled: true, secret: 's' },
    { clientId: 'c2', publicClient: true },
  ],
  clientProfiles: { profiles: [{ name: 'p1', executors: [{ executor: 'consent-required', configuration: {} }] }] },
  clientPolicies: { policies: [{ name: 'cp1', conditions: [{ condition: 'any-client' }], profiles: ['p1'] }] },
  roles: { realm: [{ name: 'r1' }], client: { c2: [{ name: 'cr1' }, { name: 'cr2' }] } },
  identityProviders: [
    {
      alias: 'idp',
      providerId: 'oidc',
      config: {
        authorizationUrl: 'https://a.example/a',
        tokenUrl: 'https://a.example/t',
        clientId: 'x',
        clientSecret: 'y',
      },
    },
  ],
});

async function contentOf(send: World['send']): Promise<Content> {
  const { status, body: realm } = await send('GET', '/export?users=true');
  if (status !== 200) throw new Error(`The realm cannot be exported: ${status} ${JSON.stringify(realm)}`);
  const read = async (path: string): Promise<Json[]> => listOf((await send('GET', path)).body);
  const clients = listOf(realm.clients);
  const flows = listOf(realm.authenticationFlows);
  const own = flows.filter(({ builtIn, topLevel }) => !builtIn && topLevel).slice(-3);
  const executions = await Promise.all(
    own.map(({ alias }) => read(`/authentication/flows/${encodeURIComponent(String(alias))}/executions`)),
  );
  const roles = mapOf(realm.roles['client']);
  const authorization: Content['authorization'] = new Map();
  for (const { id } of clients.filter(({ authorizationServicesEnabled: isOn }) => isOn).slice(-2)) {
    const objects = (kind: string) => read(`/clients/${id}/authz/resource-server/${kind}?max=100`);
    const [resource = [], scope = [], policy = [], permission = []] = await Promise.all(
      ['resource', 'scope', 'policy', 'permission'].map(objects),
    );
    authorization.set(String(id), { resource, scope, policy, permission });
  }
  return {
    realm,
    clients,
    users: listOf(realm.users),
    groups: withSubgroups(listOf(realm.groups)),
    realmRoles: listOf(realm.roles.realm),
    clientRoles: new Map(clients.map(({ id, clientId }) => [String(id), listOf(roles[String(clientId)])])),
    clientScopes: listOf(realm.clientScopes),
    flows,
    executions: executions.flat(),
    configs: listOf(realm.authenticatorConfig),
    identityProviders: listOf(realm.identityProviders),
    identityProviderMappers: listOf(realm.identityProviderMappers),
    components: withSubcomponents(mapOf(realm.components)),
    requiredActions: listOf(realm.requiredActions),
    authorization,
  };
}
