import type { AnyVariables } from 'urql';
import type { TypedDocument } from '../../../client/src/document.js';
import type { Mutations, payloadObjects } from './documents.js';
import { failuresOf, graphql, type Outcome, type UserError } from './graphql.js';
import { mutationText } from './mutation-text.js';

/** A mutation of the API that is sent by its name. */
export type MutationName = keyof Mutations;

type PayloadOf<Name extends MutationName> = Mutations[Name]['payload'];
type ObjectOf<Name extends MutationName> = (typeof payloadObjects)[Name][number] & keyof PayloadOf<Name>;
type ValueOf<Name extends MutationName> = Exclude<keyof PayloadOf<Name>, ObjectOf<Name>> & string;

/** The payload of a mutation: the IDs of its objects, and the values that were asked for. */
type Answer<Name extends MutationName, Value extends ValueOf<Name>> = {
  [Key in Name]: Pick<PayloadOf<Key>, ObjectOf<Key> | 'changes' | 'userErrors' | Value>;
};

interface MutateOptions<Value> {
  /** whether it only tells what it would do */
  isDryRun?: boolean;
  /** values of the payload that are read */
  reads?: readonly Value[];
}

/** Sends a mutation by its name. The objects of its payload have the screens that show such objects loaded again. */
export function mutate<Name extends MutationName, Value extends ValueOf<Name> = never>(
  name: Name,
  input: Mutations[Name]['input'],
  { isDryRun = false, reads = [] }: MutateOptions<Value> = {},
): Promise<Outcome<Answer<Name, Value>>> {
  const document = mutationText(name, reads);
  return perform<Answer<Name, Value>, { input: Mutations[Name]['input'] }>(document, { input }, { isDryRun });
}

interface Payload {
  userErrors: UserError[];
}

/** Sends a mutation of which more is read than its name tells. `isDryRun`: only tells what it would do. */
export async function perform<Data, Variables extends AnyVariables>(
  document: TypedDocument<Data, Variables>,
  variables: Variables,
  { isDryRun = false } = {},
): Promise<Outcome<Data>> {
  const text = document.toString();
  // a dry run is the same operation with a directive, so that a preview cannot differ from what is saved
  const query = isDryRun ? text.replace('{\n', '@dryRun {\n') : text;
  const { data, error } = await graphql.mutation<Data>(query, variables as AnyVariables).toPromise();
  const payloads = Object.values(data ?? {}).filter((value): value is Payload =>
    Array.isArray((value as Partial<Payload>)?.userErrors),
  );
  const ofInput = payloads.flatMap(({ userErrors }) => userErrors).filter(({ code }) => code !== 'ABORTED');
  return { data, errors: error ? [...failuresOf(error), ...ofInput] : ofInput };
}
