import type { Json, World } from './world.js';

/** A route with the objects of a realm in place of its parameters. */
export interface Place {
  /** below the realm, with a slash in front unless it is the realm itself */
  path: string;
  /** the client of the role that the path or the body is about */
  client: Json | undefined;
}

type Finder = (world: World, chosen: Map<string, Json>) => unknown;

const idOf =
  (list: (world: World) => readonly Json[]): Finder =>
  (world) =>
    world.pick(list(world))?.['id'];
const fieldOf =
  (field: string, list: (world: World) => readonly Json[]): Finder =>
  (world) =>
    world.pick(list(world))?.[field];

/** Objects in paths, by what stands before them. The first that matches is taken. */
const finders: readonly [RegExp, Finder][] = [
  [/authz\/resource-server\/(?:policy|permission|resource|scope)\/(?:\{type\}\/)?\{[\w-]+\}$/, authorizationObject],
  [/clients\/\{id\}\/roles\/\{role-name\}$/, (world, chosen) => world.pick(rolesOf(world, chosen))?.['name']],
  [/\/roles\/\{role-name\}$/, fieldOf('name', ({ content }) => content.realmRoles)],
  [
    /\{role-id\}$/,
    (world) => world.pick([...world.content.realmRoles, ...[...world.content.clientRoles.values()].flat()])?.['id'],
  ],
  [/consents\/\{client\}$/, fieldOf('clientId', ({ content }) => content.clients)],
  [/clients\/\{(?:id|client)\}$/, chosenClient],
  [/users\/\{[\w-]+\}$/, chosenOf('user', ({ content }) => content.users)],
  [/groups\/\{[\w-]+\}$/, idOf(({ content }) => content.groups)],
  [/client-scopes\/\{[\w-]+\}$/, chosenOf('scope', ({ content }) => content.clientScopes)],
  [/client-scopes\/\{id\d?\}\/protocol-mappers\/models\/\{[\w-]+\}$/, mapperOf('scope')],
  [/protocol-mappers\/models\/\{[\w-]+\}$/, mapperOf('client')],
  [/authentication\/config\/\{[\w-]+\}$/, idOf(({ content }) => content.configs)],
  [/executions\/\{executionId\}$/, idOf(({ content }) => content.executions)],
  [/flows\/\{flowAlias\}$/, fieldOf('alias', ({ content }) => content.flows.filter(({ builtIn }) => !builtIn))],
  [/flows\/\{[\w-]+\}$/, idOf(({ content }) => content.flows)],
  [/required-actions\/\{[\w-]+\}$/, fieldOf('alias', ({ content }) => content.requiredActions)],
  [/components\/\{[\w-]+\}$/, idOf(({ content }) => content.components)],
  [/instances\/\{[\w-]+\}$/, chosenOf('provider', ({ content }) => content.identityProviders, 'alias')],
  [
    /instances\/\{[\w-]+\}\/mappers\/\{[\w-]+\}$/,
    (world, chosen) =>
      world.pick(
        world.content.identityProviderMappers.filter(
          ({ identityProviderAlias }) => identityProviderAlias === chosen.get('provider')?.['alias'],
        ),
      )?.['id'],
  ],
  [/\{provider\}$/, fieldOf('alias', ({ content }) => content.identityProviders)],
  [/\{locale\}$/, (world) => world.pick(['en', 'de', 'x y', '😀'])],
  [/\{key\}$/, (world) => world.pick(['hello', '__proto__', 'a/b', '😀', 'constructor'])],
];

function chosenOf(as: string, list: (world: World) => readonly Json[], field = 'id'): Finder {
  return (world, chosen) => {
    const object = world.pick(list(world));
    if (object) chosen.set(as, object);
    return object?.[field];
  };
}

/** A client: one with roles, or with authorization services, where the rest of the path is about these. */
function chosenClient(world: World, chosen: Map<string, Json>): unknown {
  const { clients, clientRoles, authorization } = world.content;
  const fit = clients.filter(({ id }) => {
    if (chosen.has('needs authorization')) return authorization.has(String(id));
    return !chosen.has('needs roles') || (clientRoles.get(String(id)) ?? []).length > 0;
  });
  return chosenOf('client', () => fit)(world, chosen);
}

const rolesOf = ({ content }: World, chosen: Map<string, Json>): readonly Json[] =>
  content.clientRoles.get(String(chosen.get('client')?.['id'])) ?? [];

function authorizationObject(_world: World, chosen: Map<string, Json>): unknown {
  const object = chosen.get('authorization object');
  return object?.['_id'] ?? object?.['id'];
}

function mapperOf(owner: 'client' | 'scope'): Finder {
  return (world, chosen) => {
    const mappers = chosen.get(owner)?.['protocolMappers'];
    return Array.isArray(mappers) ? world.pick(mappers)?.id : undefined;
  };
}

/** Chooses an object for each parameter of a route; undefined if the realm has none. */
export function placeOf(world: World, route: string): Place | undefined {
  const chosen = new Map<string, Json>();
  if (route.includes('/authz/')) chosen.set('needs authorization', {});
  else if (/mappings\/clients|\{id\}\/roles\/\{/.test(route)) chosen.set('needs roles', {});
  const kind = /authz\/resource-server\/(policy|permission|resource|scope)/.exec(route)?.[1];
  let isWhole = true;
  const path = route.slice('/{realm}'.length).replace(/\{([\w-]+)\}/g, (whole, name: string, at: number) => {
    const value = valueAt(route.slice(0, '/{realm}'.length + at) + whole, name);
    if (typeof value !== 'string' || value === '') isWhole = false;
    return encodeURIComponent(String(value));
  });
  function valueAt(upTo: string, name: string): unknown {
    if (kind !== undefined && upTo.includes('/authz/') && !chosen.has('authorization object')) {
      const objects = world.content.authorization.get(String(chosen.get('client')?.['id']));
      const object = world.pick(objects?.[kind as 'policy'] ?? []);
      if (object) chosen.set('authorization object', object);
    }
    if (name === 'type') return chosen.get('authorization object')?.['type'];
    return finders.find(([place]) => place.test(upTo))?.[1](world, chosen);
  }
  return isWhole ? { path: path, client: chosen.get('client') } : undefined;
}
