import { z } from 'zod';
import type { Context } from '../core/context.js';
import { noteIgnored } from '../core/ignored-fields.js';
import { isSameJson } from '../core/json.js';
import { read } from '../core/operation.js';
import { isOn, type RealmRecord } from '../core/realm.js';
import { invalid } from '../core/refusal.js';
import { longText } from '../core/shape.js';
import type { Target } from '../core/target.js';
import { grouped } from '../core/view.js';
import type { UserTarget } from './locate.js';

const everybody = { view: ['admin', 'user'], edit: ['admin', 'user'] };
const attribute = (name: string, validations: object = {}) => ({
  name,
  displayName: `\${${name}}`,
  validations,
  permissions: everybody,
  multivalued: false,
});

/** The profile of the users of every realm, in the form of version 26: its fields cannot be configured. */
const profile = {
  attributes: [attribute('username'), attribute('email', { email: {} }), attribute('firstName'), attribute('lastName')],
  groups: [] as object[],
  // users can have attributes that are not declared
  unmanagedAttributePolicy: 'ENABLED',
};

/** The fields of a profile for forms, in the form of version 26. */
export const profileMetadata = (realm: RealmRecord) => ({
  attributes: profile.attributes.map(({ name, displayName, validations, multivalued }) => ({
    name,
    displayName,
    required: name === 'username',
    readOnly: name === 'username' && !isOn(realm, 'editUsernameAllowed'),
    validators: validations,
    multivalued,
  })),
  groups: profile.groups,
});

export const getProfile = read({
  name: 'userProfile.get',
  summary: 'Returns the profile that the users of a realm have. It cannot be configured.',
  allow: 'any:admin',
  run: async (_ctx, _target: Target) => profile,
});

export const getProfileMetadata = read({
  name: 'userProfile.metadata',
  summary: 'Returns the fields of a user with their rules, as forms need them.',
  allow: 'any:admin',
  run: async (_ctx, { realm }: Target) => profileMetadata(realm),
});

export const getUnmanagedAttributes = read({
  name: 'user.unmanagedAttributes',
  summary: 'Returns the attributes of a user that the user profile does not declare: all of them.',
  allow: 'view:users',
  run: async (_ctx, { user }: UserTarget): Promise<Record<string, string[]>> => grouped(user.attributes),
});

const Profile = z.looseObject({ attributes: z.array(z.looseObject({ name: z.string().optional() })).optional() });
type Profile = z.output<typeof Profile>;

/** The parts of a profile that differ from the one that users have. An attribute is named by its place. */
function differences({ attributes = [], ...others }: Profile): string[][] {
  const declared = new Map(profile.attributes.map((one) => [one.name, one]));
  const standard: Readonly<Record<string, unknown>> = profile;
  return [
    ...attributes.flatMap((one, at) =>
      isSameJson(one, declared.get(one.name ?? '')) ? [] : [['attributes', String(at)]],
    ),
    ...Object.keys(others).flatMap((name) => (isSameJson(others[name], standard[name]) ? [] : [[name]])),
  ];
}

/** A profile is validated because tools send theirs. The answer names the parts that have no effect. */
export const checkProfile = read({
  name: 'userProfile.check',
  summary:
    'Validates a user profile and returns the one that users have. It cannot be configured: `X-Ignored-Fields` names the parts without effect.',
  input: longText,
  allow: 'manage:realm',
  run: async (ctx: Context, _target: Target, text) => {
    const parsed = Profile.safeParse(jsonOf(text));
    if (!parsed.success)
      throw invalid('The user profile must be a JSON object with the fields of a user profile', 'body');
    const nameless = (parsed.data.attributes ?? []).some(({ name }) => !name);
    if (nameless) throw invalid(`[Attribute configuration without 'name' is not allowed]`, 'attributes');
    noteIgnored(ctx, differences(parsed.data));
    return profile;
  },
});

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
