import { z } from 'zod';
import { flag, type Input, list, listmap, record, representation, text, texts } from '../core/shape.js';

const fields = {
  id: text,
  name: text,
  path: text,
  attributes: listmap,
  realmRoles: texts,
  clientRoles: listmap,
  access: record(flag),
};
const flat = representation('GroupRepresentation', fields);

export interface GroupInput extends Input<typeof flat> {
  subGroups?: GroupInput[] | undefined;
}

/** GroupRepresentation of the contract. `path` is answered and accepted, but computed from the tree. */
export const GroupRepresentation: z.ZodType<GroupInput> = representation('GroupRepresentation', {
  ...fields,
  subGroups: list(z.lazy(() => GroupRepresentation)),
});
