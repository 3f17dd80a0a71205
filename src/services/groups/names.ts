import { conflict, invalid, Refusal } from '../core/refusal.js';
import type { GroupContainer } from './locate.js';
import type { GroupInput } from './representation.js';
import { longestPath } from './store.js';

const longestName = 255;

/** The name of a group that is sent. */
export function namedGroup(name: string | undefined, field = 'name'): string {
  if (!name) throw invalid('Group name is missing', field, { code: 'NAME_INVALID' });
  if (name.length > longestName)
    throw invalid(`A group name must be at most ${longestName} characters`, field, { code: 'NAME_INVALID' });
  return name;
}

/** Refuses a path of so many bytes where that is too many; `field` is the input at fault. */
export function fitting(bytes: number, field = 'name'): void {
  if (bytes > longestPath) throw tooLong(field);
}

/** The refusal of a group with a path that is too long, or has one below it. */
export const tooLong = (field: string): Refusal =>
  invalid(`A group path must be at most ${longestPath} bytes`, field, { code: 'LIMIT_REACHED' });

/** What the contract answers to a name that is taken where the group should go. */
export const takenHere = ({ name }: Pick<GroupInput, 'name'>, { parent }: GroupContainer): Refusal =>
  parent
    ? new Refusal('conflict', `Sibling group named '${name}' already exists.`, {
        field: 'name',
        code: 'NAME_TAKEN',
        body: { error: 'unknown_error' },
      })
    : conflict(`Top level group named '${name}' already exists.`, 'name', 'NAME_TAKEN');
