import { clientAuthenticators, providerById } from '../../authentication/providers.js';
import { isProvider } from '../../components/providers.js';
import { organizationSteps } from '../../login/flow-steps.js';
import { isMapperType } from '../../protocol-mappers/types.js';
import { type Json, listOf } from './kinds.js';
import { type Placed, placedComponents, placedIn } from './places.js';
import type { Idle } from './unknown-names.js';

const clientAuthenticatorIds: ReadonlySet<string> = new Set(clientAuthenticators.map(({ id }) => id));

/** A field of an object of a file that names a provider which this version does not have. */
function unknownIn(
  { object, place }: Placed,
  field: string,
  what: string,
  isKnown: (name: string) => boolean,
  effect: string,
): Idle[] {
  const name = object[field];
  if (typeof name !== 'string' || name === '' || isKnown(name)) return [];
  return [{ path: [...place, field], message: `names the ${what} "${name}", which does not exist: ${effect}.` }];
}

/** Mappers of later versions for claims that tokens have anyway. */
export const needlessMappers: ReadonlySet<unknown> = new Set(['oidc-sub-mapper', 'oidc-acr-mapper']);

const isKnownMapper = (type: string): boolean => isMapperType(type) || needlessMappers.has(type);

const below = ({ object, place }: Placed, list: string): Placed[] => placedIn(listOf(object, list), [...place, list]);

/**
 * Warnings about providers of a file that this version does not have. A realm keeps them without effect, because files
 * of other versions have them.
 */
export function unknownProviders(given: Json): Idle[] {
  const clients = placedIn(listOf(given, 'clients'), ['clients']);
  const owners = [...clients, ...placedIn(listOf(given, 'clientScopes'), ['clientScopes'])];
  const flows = placedIn(listOf(given, 'authenticationFlows'), ['authenticationFlows']);
  return [
    ...flows
      .flatMap((flow) => below(flow, 'authenticationExecutions'))
      .filter(({ object }) => object.requirement !== 'DISABLED')
      .flatMap((step) =>
        unknownIn(
          step,
          'authenticator',
          'authenticator',
          (name) => providerById(name) !== undefined || organizationSteps.has(name),
          'logins end at this step',
        ),
      ),
    ...clients.flatMap((client) =>
      unknownIn(
        client,
        'clientAuthenticatorType',
        'client authenticator',
        (name) => clientAuthenticatorIds.has(name),
        'the client cannot prove itself',
      ),
    ),
    ...owners
      .flatMap((owner) => below(owner, 'protocolMappers'))
      .flatMap((mapper) => unknownIn(mapper, 'protocolMapper', 'mapper', isKnownMapper, 'tokens lack what it adds')),
    ...placedComponents(given).flatMap((component) => {
      const type = component.place.at(-2);
      return unknownIn(
        component,
        'providerId',
        `provider of the type ${String(type)}`,
        (name) => isProvider(type, name),
        'it has no effect',
      );
    }),
  ];
}
