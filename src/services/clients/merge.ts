import { replacedColumns, type StoredColumns } from '../core/fields.js';
import { mask } from '../core/mask.js';
import { invalid } from '../core/refusal.js';
import type { Sealer } from '../core/seal.js';
import { newClientSecret } from '../realms/assemble/realm.js';
import { withDeviceGrant } from './columns.js';
import { clientFields } from './fields.js';
import type { ClientInput } from './representation.js';
import { isSecretAttribute, openedAttributes } from './secrets.js';
import type { UpdatedClient } from './store.js';

/** Given attributes beside those that are there; an empty text takes one out, a mask leaves a secret as it is. */
function mergedAttributes(before: Record<string, string>, input: ClientInput): Record<string, string> {
  const given = Object.entries(withDeviceGrant(input)).filter(
    ([name, value]) => !(isSecretAttribute(name) && value === mask),
  );
  return Object.fromEntries(
    Object.entries({ ...before, ...Object.fromEntries(given) }).filter(([, value]) => value !== ''),
  );
}

/**
 * The new secret where it changes: null takes it away, as becoming public does. A client that can keep a secret and has
 * none gets one with the first update.
 */
function newSecret(before: UpdatedClient, input: ClientInput): string | null | undefined {
  if (input.secret !== undefined && input.secret !== mask) return input.secret;
  if (input.publicClient && !before.publicClient) return null;
  const { publicClient = before.publicClient, bearerOnly = before.bearerOnly } = input;
  return !publicClient && !bearerOnly && before.secret === null ? newClientSecret() : undefined;
}

/**
 * The input without what a client without a service account cannot have. The client for administration is the one that
 * has authorization services all the same: those that management permissions live in.
 */
function consistent(input: ClientInput, before: UpdatedClient): ClientInput {
  if (isAdministration(before)) return { ...input, authorizationServicesEnabled: true };
  const withoutAuthorization = input.publicClient || input.bearerOnly || input.serviceAccountsEnabled === false;
  return withoutAuthorization ? { ...input, authorizationServicesEnabled: false } : input;
}

const isAdministration = ({ bearerOnly, authorizationServicesEnabled }: UpdatedClient): boolean =>
  bearerOnly && authorizationServicesEnabled;

/** A client before and after a change. */
export interface MergedClient {
  before: UpdatedClient;
  after: UpdatedClient;
  input: ClientInput;
  /** the columns that the input replaces */
  changes: Partial<StoredColumns<typeof clientFields>>;
  /** all attributes after the change, with their secrets in clear */
  attributes: Record<string, string>;
  /** the new secret; null takes it away, undefined leaves it as it is */
  secret: string | null | undefined;
}

/** What a client becomes by an input. Throws what is wrong with it by itself. */
export function mergedClient(before: UpdatedClient, given: ClientInput, sealer: Pick<Sealer, 'open'>): MergedClient {
  const input = consistent(given, before);
  const changes = replacedColumns(clientFields, input);
  const after: UpdatedClient = { ...before, ...changes };
  if (after.authorizationServicesEnabled && !after.serviceAccountsEnabled && !isAdministration(before)) {
    throw invalid('Authorization services require a service account', 'serviceAccountsEnabled', {
      code: 'SERVICE_ACCOUNT_REQUIRED',
    });
  }
  const attributes = mergedAttributes(openedAttributes(before, sealer), input);
  return { before, after, input, changes, attributes, secret: newSecret(before, input) };
}
