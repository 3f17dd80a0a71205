import { z } from 'zod';
import { read } from '../core/operation.js';
import { invalid } from '../core/refusal.js';
import { longText } from '../core/shape.js';
import type { Target } from '../core/target.js';

const Profile = z.looseObject({ attributes: z.array(z.looseObject({ name: z.string().optional() })).optional() });

/** Declared user profiles are a feature that this version of the contract has switched off: there is none. */
export const getProfile = read({
  name: 'userProfile.get',
  summary: 'Returns the declared user profile of a realm. The feature is disabled, so there is none.',
  allow: 'any:admin',
  run: async (_ctx, _target: Target): Promise<undefined> => undefined,
});

/** A profile is looked at as if it were to be kept, because tools send what they would send with the feature on. */
export const checkProfile = read({
  name: 'userProfile.check',
  summary: 'Validates a declared user profile. The feature is disabled, so nothing is stored.',
  input: longText,
  allow: 'manage:realm',
  run: async (_ctx, _target: Target, text): Promise<undefined> => {
    const parsed = Profile.safeParse(jsonOf(text));
    if (!parsed.success)
      throw invalid('The user profile must be a JSON object with the fields of a user profile', 'body');
    const nameless = (parsed.data.attributes ?? []).some(({ name }) => !name);
    if (nameless) throw invalid(`[Attribute configuration without 'name' is not allowed]`, 'attributes');
    return undefined;
  },
});

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
