import { getNamedType, isObjectType } from 'graphql';
import { describe, expect, it } from 'vitest';
import { graphqlSchema } from '../../src/graph/server.js';

// A mutation is named after the type of its object and one verb. Another word for the same action is refused, and so is `viewerCan`
// with another name than its mutation has.

/** What a verb of a mutation does. Each action has one verb. */
const verbs: Readonly<Record<string, string>> = {
  add: 'puts existing objects, or values, into a set of the object',
  apply: 'makes an object as a file describes it',
  replay: 'sends messages of a webhook again',
  revert: 'takes back what was applied',
  unmanage: 'ends that an object follows a file',
  attach: 'puts an existing subflow into a flow',
  clear: 'deletes all of a kind that the object has',
  copy: 'creates an object with the content of another one',
  create: 'creates an object',
  delete: 'deletes an object',
  disable: 'switches something off in another system',
  download: 'returns a file',
  end: 'ends a session',
  generate: 'generates a key pair',
  impersonate: 'begins a session as another user',
  import: 'writes what a file contains',
  join: 'adds the user to groups: the user is the object',
  leave: 'removes the user from groups: the user is the object',
  logout: 'ends all sessions',
  lower: 'moves an object one place down',
  move: 'gives an object another place',
  partial: 'imports into an existing realm (`partialImport`)',
  ping: 'sends an empty message to a webhook',
  push: 'sends a state to clients',
  raise: 'moves an object one place up',
  remove: 'takes objects, or values, out of a set of the object; the reverse of add',
  rename: 'changes the name that is part of addresses',
  replace: 'writes a whole list anew',
  revoke: 'makes something invalid that was given out',
  rotate: 'generates a new secret or token',
  send: 'sends an email',
  set: 'writes one value',
  sync: 'synchronises with a directory',
  test: 'tries settings without storing them',
  unlink: 'separates users from a directory',
  update: 'changes fields',
  upload: 'writes what a file contains as a key',
};

/** Words for an action that has another verb. */
const refusedWords: Readonly<Record<string, string>> = {
  assign: 'add',
  check: 'test',
  execute: 'send',
  modify: 'update',
  regenerate: 'rotate',
  register: 'create or add',
  renew: 'rotate',
  reset: 'clear',
  unassign: 'remove',
};

/** What mutations are named after besides the types of objects with an ID. */
const others = [
  'Account',
  'ClientCertificate',
  'ClientPolicies',
  'ClientProfiles',
  'LocalizationText',
  'ManagementPermission',
  'ScopeMapping',
];

const schema = graphqlSchema();
const types = Object.values(schema.getTypeMap());
const nodes = types.flatMap((type) =>
  'getInterfaces' in type && type.getInterfaces().some(({ name }) => name === 'Node') ? [type.name] : [],
);
const objects = [...nodes, ...others].sort((one, other) => other.length - one.length);
const mutations = Object.keys(schema.getMutationType()?.getFields() ?? {});

/** The object, the verb, and what follows it in the name of a mutation. */
function partsOf(mutation: string) {
  const name = mutation.charAt(0).toUpperCase() + mutation.slice(1);
  const object = objects.find((one) => name.startsWith(one) && /^s?[A-Z]/.test(name.slice(one.length))) ?? '';
  const [, verb = '', rest = ''] = /^s?([A-Z][a-z]+)(.*)$/.exec(name.slice(object.length)) ?? [];
  return { object, verb: verb.toLowerCase(), rest };
}

describe('the name of every mutation', () => {
  it.each(mutations)('%s has an object and a verb of the table', (mutation) => {
    const { object, verb } = partsOf(mutation);
    expect([object !== '', verb, verb in verbs]).toEqual([true, verb, true]);
  });

  it('uses every verb of the table, and no other word for its action', () => {
    const used = new Set(mutations.map((mutation) => partsOf(mutation).verb));
    expect(Object.keys(verbs).filter((verb) => !used.has(verb))).toEqual([]);
    expect(Object.keys(refusedWords).filter((word) => word in verbs)).toEqual([]);
    const wrong = mutations.filter((mutation) =>
      Object.keys(refusedWords).some((word) =>
        new RegExp(`${word.charAt(0).toUpperCase()}${word.slice(1)}`).test(mutation),
      ),
    );
    expect(wrong).toEqual([]);
  });
});

/** Names in `viewerCan` that say more than that of the mutation would. */
const otherAbilities: Readonly<Record<string, string>> = {
  'ClientScope.addToRealm': 'realmAddClientScope',
  'Group.createGroup': 'groupCreate',
};

it('the abilities of `viewerCan` have the names of their mutations', () => {
  const wrong = types.flatMap((type) => {
    if (!isObjectType(type) || !type.getFields().viewerCan) return [];
    const abilities = getNamedType(type.getFields().viewerCan?.type as never);
    if (!isObjectType(abilities)) return [];
    return Object.values(abilities.getFields()).flatMap(({ name, description }) => {
      const mutation = /`(\w+)`/.exec(description ?? '')?.[1] ?? '';
      const { object, verb, rest } = partsOf(mutation);
      const isOwn = object === type.name || type.getInterfaces().some((one) => one.name === object);
      const expected = isOwn ? verb + rest : `${verb}${object}${rest}`;
      return name === expected || otherAbilities[`${type.name}.${name}`] === mutation
        ? []
        : [`${type.name}.${name}: ${mutation}`];
    });
  });
  expect(wrong).toEqual([]);
});
