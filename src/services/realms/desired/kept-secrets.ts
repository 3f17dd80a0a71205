import { isMaskedSetting } from '../../core/mask.js';
import { requireSameDestination, type SecretKind, secretKindOf } from '../../core/stored-secrets.js';
import { idOf, type Json, listOf, mapOf } from './kinds.js';
import type { Names } from './merge-list.js';
import { type Placed, placedComponents, placedIn } from './places.js';

type Settings = Record<string, string | string[] | undefined>;

const settingsOf = (object: Json, name: string): Settings => mapOf(object, name) as Settings;

/** Settings that can hold a stored secret: the current ones, the desired ones, and the ones in the file. */
interface Holder {
  kind: SecretKind;
  before: Settings;
  after: Settings;
  given: Settings;
  field: string;
}

/** The compared states of a realm: current, desired, and as given in the file. */
interface States {
  current: Json;
  desired: Json;
  given: Json;
}

/** Components are in lists by the types of their providers. */
const kindOfComponent = (place: readonly string[], { providerId }: Json): SecretKind | undefined =>
  secretKindOf(place.at(-2), providerId);

/** The changed objects of a list that can hold a secret. */
function* changedHolders(
  { current, desired, given }: States,
  listed: (realm: Json) => Placed[],
  kindOf: (place: readonly string[], object: Json) => SecretKind | undefined,
  names: Names,
): Generator<Holder> {
  const were = new Map(listed(current).map(({ object }) => [idOf(object), object]));
  const places = new Map(listed(given).map(({ object, place }) => [object, place]));
  for (const { object } of listed(desired)) {
    const [own, before] = [names.given.get(object), were.get(idOf(object))];
    const place = own && places.get(own);
    const kind = place && before && kindOf(place, before);
    if (!kind) continue;
    const settings = [before, object, own].map((state) => settingsOf(state, 'config'));
    const [was, is, said] = settings as [Settings, Settings, Settings];
    yield { kind, before: was, after: is, given: said, field: [...place, 'config'].join('.') };
  }
}

function* holdersIn(states: States, names: Names): Generator<Holder> {
  const { current, desired, given } = states;
  const field = 'smtpServer';
  const [before, after, said] = [current, desired, given].map((realm) => settingsOf(realm, field));
  if (given[field] !== undefined && before && after && said)
    yield { kind: 'mailServer', before, after, given: said, field };
  const providers = 'identityProviders';
  const listed = (realm: Json) => placedIn(listOf(realm, providers), [providers]);
  yield* changedHolders(states, listed, () => 'identityProvider', names);
  yield* changedHolders(states, placedComponents, kindOfComponent, names);
}

/**
 * Refuses a file that sends a stored secret to another address. The author of a file need not know the secrets of the
 * realm, and could receive them at an own address. The operations on single objects refuse the same.
 */
export function refuseOtherDestinations(states: States, names: Names): void {
  for (const { kind, before, after, given, field } of holdersIn(states, names)) {
    const isGiven = (name: string) => given[name] !== undefined && !isMaskedSetting(given[name]);
    const kept = (name: string) => before[name] !== undefined && !isGiven(name);
    names.refusals.attempt(() => requireSameDestination(kind, { before, after, kept }, field));
  }
}
