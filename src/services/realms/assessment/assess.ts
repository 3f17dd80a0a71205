import { clientAuthenticators } from '../../authentication/providers.js';
import { kindOf } from '../../brokering/kinds.js';
import { conditions } from '../../client-policies/conditions.js';
import { executors } from '../../client-policies/executors.js';
import { isProvider } from '../../components/providers.js';
import { decodeKnown } from '../../core/decode-known.js';
import { textsOf } from '../../core/json.js';
import { mapperTypesOf } from '../../identity-providers/mapper-types.js';
import { isPerformed } from '../../login/action-names.js';
import type { FlowPurpose } from '../../login/flow-steps.js';
import { isMapperType } from '../../protocol-mappers/types.js';
import { type Json, listOf, mapOf } from '../desired/kinds.js';
import { placedComponents } from '../desired/places.js';
import { needlessMappers } from '../desired/unknown-providers.js';
import { RealmRepresentation } from '../representation.js';
import { endOfLogins, endOfProvider, flowsOf } from './flows.js';
import type { UserCounts } from './users.js';

/** A feature of a realm that does not work on this server as on the source server. */
export interface Finding {
  /** `FAILS`: some users cannot log in, or something cannot be used. `HAS_NO_EFFECT`: it is stored without effect. */
  effect: 'FAILS' | 'HAS_NO_EFFECT';
  kind: string;
  name: string;
  message: string;
}

const fails = (kind: string, name: unknown, message: string): Finding => ({
  effect: 'FAILS',
  kind,
  name: String(name),
  message,
});
const idle = (kind: string, name: unknown, message: string): Finding => ({
  effect: 'HAS_NO_EFFECT',
  kind,
  name: String(name),
  message,
});

const hasRegistry = (realm: Json): boolean =>
  listOf(realm, 'clients').some(({ protocol, enabled }) => protocol === 'docker-v2' && enabled !== false);

const purposes: readonly [FlowPurpose, what: string, isOn: (realm: Json) => boolean][] = [
  ['browser', 'Nobody can log in', () => true],
  ['direct', 'Nobody gets a token for a password', () => true],
  ['docker', 'Nobody can log in at a Docker registry', hasRegistry],
  ['reset', 'Nobody can reset a password', ({ resetPasswordAllowed }) => resetPasswordAllowed === true],
  ['registration', 'Nobody can register', ({ registrationAllowed }) => registrationAllowed === true],
];

/** Flows that lead to a step that this server does not have, of the realm and as overrides of clients. */
function flowFindings(realm: Json): Finding[] {
  const flows = flowsOf(realm);
  const ids = new Map(listOf(realm, 'authenticationFlows').map(({ id, alias }) => [id, alias]));
  const found = purposes.flatMap(([purpose, what, isOn]) => {
    const end = isOn(realm) ? endOfLogins(flows, realm, undefined, purpose) : undefined;
    return end === undefined ? [] : [fails('REALM', realm.realm, `${what}: the flow ${end}.`)];
  });
  const ofClients = listOf(realm, 'clients').flatMap((client) => {
    const overrides = mapOf(client, 'authenticationFlowBindingOverrides');
    const byAlias = Object.fromEntries(Object.entries(overrides).map(([name, id]) => [name, ids.get(id)]));
    return purposes.slice(0, 2).flatMap(([purpose, what]) => {
      const name = purpose === 'direct' ? 'direct_grant' : 'browser';
      const end = byAlias[name] === undefined ? undefined : endOfLogins(flows, realm, byAlias, purpose);
      return end === undefined ? [] : [fails('CLIENT', client.clientId, `${what}: its own flow ${end}.`)];
    });
  });
  return [...found, ...ofClients];
}

const authenticatorIds: ReadonlySet<unknown> = new Set(clientAuthenticators.map(({ id }) => id));

/** Type of a mapper that is recognized but not executed. */
const script = 'saml-javascript-mapper';

function mapperFindings(owner: Json, kind: string, name: unknown): Finding[] {
  return listOf(owner, 'protocolMappers')
    .filter(
      ({ protocolMapper }) =>
        (!isMapperType(String(protocolMapper)) || protocolMapper === script) && !needlessMappers.has(protocolMapper),
    )
    .map((mapper) =>
      idle(
        kind,
        name,
        `The mapper "${String(mapper.name)}" has the type "${String(mapper.protocolMapper)}", which ${mapper.protocolMapper === script ? 'runs a script' : 'does not exist'}: tokens lack what it adds.`,
      ),
    );
}

function clientFindings(client: Json): Finding[] {
  const { clientId, protocol, enabled, clientAuthenticatorType: authenticator, bearerOnly, publicClient } = client;
  const found = mapperFindings(client, 'CLIENT', clientId);
  if (enabled === false) return found;
  if (protocol === 'saml' && mapOf(client, 'attributes')['saml.artifact.binding'] === 'true')
    found.push(fails('CLIENT', clientId, 'Nobody can log in at a SAML client that wants artifacts.'));
  const proves = bearerOnly !== true && publicClient !== true && authenticator !== undefined;
  if (proves && !authenticatorIds.has(authenticator))
    found.push(fails('CLIENT', clientId, `It proves itself by "${String(authenticator)}", which does not exist.`));
  if (mapOf(client, 'attributes')['standard.token.exchange.enabled'] === 'true')
    found.push(
      fails(
        'CLIENT',
        clientId,
        'It exchanges tokens only where the permission `token-exchange` of the other client lets it.',
      ),
    );
  return found;
}

const brokerFlows = [
  ['firstBroker', 'firstBrokerLoginFlowAlias', 'Nobody can log in through it for the first time'],
  ['postBroker', 'postBrokerLoginFlowAlias', 'Nobody can log in through it'],
] as const;

/** Findings about an identity provider: it does not work at all, or its flows or mappers do not. */
function providerFindings(realm: Json, provider: Json): Finding[] {
  const { alias, providerId } = provider;
  const kind = kindOf(String(providerId), {});
  if (!kind) return [fails('IDENTITY_PROVIDER', alias, 'Nobody can log in through it.')];
  const { signingCertificate, metadataDescriptorUrl } = mapOf(provider, 'config');
  if (kind.isSaml && !signingCertificate && !metadataDescriptorUrl)
    return [fails('IDENTITY_PROVIDER', alias, 'Nobody can log in through it: it has no certificate of the provider.')];
  const flows = flowsOf(realm);
  const known = new Set(mapperTypesOf(String(providerId)).map(({ id }) => id));
  const mappers = listOf(realm, 'identityProviderMappers').filter(
    ({ identityProviderAlias, identityProviderMapper: type }) =>
      identityProviderAlias === alias && !known.has(String(type)),
  );
  return [
    ...brokerFlows.flatMap(([purpose, field, what]) => {
      const end = provider[field] ? endOfProvider(flows, String(provider[field]), purpose) : undefined;
      return end === undefined ? [] : [fails('IDENTITY_PROVIDER', alias, `${what}: the flow ${end}.`)];
    }),
    ...mappers.map(({ name, identityProviderMapper: type }) =>
      idle(
        'IDENTITY_PROVIDER',
        alias,
        `The mapper "${String(name)}" has the type "${String(type)}", which does not exist: users lack what it sets.`,
      ),
    ),
  ];
}

function otherFindings(realm: Json): Finding[] {
  const providers = listOf(realm, 'identityProviders').filter(({ enabled }) => enabled !== false);
  const actions = listOf(realm, 'requiredActions').filter(
    ({ alias, enabled }) => enabled !== false && !isPerformed(String(alias)),
  );
  const components = placedComponents(realm).filter(
    ({ object, place }) => !isProvider(place.at(-2), String(object.providerId)),
  );
  const listeners = textsOf(realm.eventsListeners).filter((one) => one !== 'jboss-logging');
  const themes = ['loginTheme', 'accountTheme', 'adminTheme', 'emailTheme'].filter(
    (name) => !['', 'keycloak', 'undefined'].includes(String(realm[name] ?? '')),
  );
  const unknownIn = (owner: Json, list: string, part: string, known: ReadonlyMap<string, unknown>) =>
    listOf(owner, list).flatMap((one) => (known.has(String(one[part])) ? [] : [[owner.name, one[part]]]));
  const policies = [
    ...listOf(mapOf(realm, 'clientProfiles'), 'profiles').flatMap((profile) =>
      unknownIn(profile, 'executors', 'executor', executors),
    ),
    ...listOf(mapOf(realm, 'clientPolicies'), 'policies').flatMap((policy) =>
      unknownIn(policy, 'conditions', 'condition', conditions),
    ),
  ];
  return [
    ...providers.flatMap((provider) => providerFindings(realm, provider)),
    ...actions.map(({ alias, defaultAction }) =>
      defaultAction === true
        ? fails(
            'REQUIRED_ACTION',
            alias,
            'Every new user has it, and it cannot be performed: their logins are refused.',
          )
        : idle('REQUIRED_ACTION', alias, 'It cannot be performed: do not ask users for it.'),
    ),
    ...components.map(({ object, place }) =>
      idle(
        'COMPONENT',
        object.name ?? object.providerId,
        `The provider "${String(object.providerId)}" of the type ${String(place.at(-2))} does not exist.`,
      ),
    ),
    ...policies.map(([name, missing]) =>
      fails('CLIENT_POLICY', name, `"${String(missing)}" does not exist: what it would refuse is let pass.`),
    ),
    ...listeners.map((name) =>
      idle('REALM', realm.realm, `The events listener "${name}" does not exist: use webhooks.`),
    ),
    ...themes.map((name) => idle('REALM', realm.realm, `The theme of \`${name}\` does not move.`)),
    ...(realm.organizationsEnabled === true ? [fails('REALM', realm.realm, 'Organizations do not exist.')] : []),
  ];
}

/** Fields of a file that an import ignores, each path once with `[]` for the positions in lists, and how often it occurs. */
function ignoredFields(realm: Json): Finding[] {
  const counts = new Map<string, number>();
  for (const path of decodeKnown(RealmRepresentation, realm).ignored) {
    const field = path.join('.').replace(/\.\d+(?=\.|$)/g, '[]');
    counts.set(field, (counts.get(field) ?? 0) + 1);
  }
  return [...counts].map(([field, count]) =>
    idle('FIELD', field, count === 1 ? 'It is ignored.' : `It is ignored in ${count} places.`),
  );
}

/**
 * The features of an exported realm that do not work on this server as on the source server. `users` has the findings
 * about users.
 */
export const assessRealm = (realm: Json, users: UserCounts): Finding[] => [
  ...flowFindings(realm),
  ...listOf(realm, 'clients').flatMap(clientFindings),
  ...listOf(realm, 'clientScopes').flatMap((scope) => mapperFindings(scope, 'CLIENT_SCOPE', scope.name)),
  ...otherFindings(realm),
  ...[...users].map(([what, count]) => fails('USERS', count, what)),
  ...ignoredFields(realm),
];
