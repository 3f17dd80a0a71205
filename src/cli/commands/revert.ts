import { mostApplies } from '../../services/realms/applied/record.js';
import type { RealmAccess } from '../access/access.js';
import type { ServerOptions } from '../access/credentials.js';
import { withRealms } from '../access/open.js';
import { type AgreementOptions, carriedOut } from './apply.js';

/** Options of `realmgate revert`. */
export interface RevertOptions extends ServerOptions, AgreementOptions {
  realm: string;
}

/** The ID of the apply with this number; default: the last one. Throws a sentence if it does not exist. */
async function idOf(realms: RealmAccess, realm: string, number: number | undefined): Promise<string> {
  const applies = await realms.applies(realm, number === undefined ? 1 : mostApplies);
  const found = number === undefined ? applies[0] : applies.find((apply) => apply.number === number);
  if (found) return found.id;
  throw new Error(
    number === undefined
      ? `No file was applied to the realm "${realm}".`
      : `The history of the realm "${realm}" has no apply ${number}: see \`realmgate history --realm ${realm}\`.`,
  );
}

/**
 * Prints the changes that the revert of an apply would make, asks, and makes exactly these changes, all or nothing.
 * Later changes stay, and warnings name them.
 */
export const revertApply = (number: number | undefined, { realm, ...options }: RevertOptions): Promise<void> =>
  withRealms(options, [], async (realms) => {
    const id = await idOf(realms, realm, number);
    await carriedOut(options, {
      plan: () => realms.revertPlan(realm, id),
      carryOut: (expected) => realms.revert(realm, id, expected),
      done: 'Reverted',
    });
  });
