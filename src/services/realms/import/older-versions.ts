import type { ClientScopeInput } from '../../client-scopes/representation.js';
import type { ClientInput } from '../../clients/representation.js';
import type { ComponentExportInput } from '../../components/representation.js';
import type { Input } from '../../core/shape.js';
import { keyProviderType } from '../../keys/provider.js';
import type { RoleRepresentation } from '../../roles/representation.js';
import type { UserInput } from '../../users/representation.js';
import { defaultKeyProviders } from '../defaults/components.js';
import type { ScopeMappingInput } from '../nested-representations.js';
import type { RealmInput } from '../representation.js';

type RoleInput = Input<typeof RoleRepresentation>;
type ScopeMappings = Record<string, ScopeMappingInput[]>;

const storageType = 'org.keycloak.storage.UserStorageProvider';
const storageMapperType = 'org.keycloak.storage.ldap.mappers.LDAPStorageMapper';

/** Converts the fields of older versions in a realm import to this version. */
export function modernRealm(input: RealmInput): RealmInput {
  const clients = modernClients(input);
  const roles = input.roles && modernRoles(input.roles);
  const components = modernComponents(input);
  const clientScopeMappings = merged(input.clientScopeMappings, input.applicationScopeMappings);
  return {
    ...input,
    ...(clients && { clients }),
    ...(roles && { roles }),
    ...(components && { components }),
    ...(input.scopeMappings && { scopeMappings: input.scopeMappings.map(modernMapping) }),
    ...(clientScopeMappings && { clientScopeMappings: modernMappings(clientScopeMappings) }),
  };
}

/** Converts the fields of older versions in a user of a realm import to this version. */
export function modernUser(user: UserInput): UserInput {
  const { applicationRoles, socialLinks, clientConsents } = user;
  if (!applicationRoles && !socialLinks && !clientConsents) return user;
  const links = socialLinks?.map(({ socialProvider, socialUserId, socialUsername }) => ({
    identityProvider: socialProvider,
    userId: socialUserId,
    userName: socialUsername,
  }));
  return {
    ...user,
    ...(applicationRoles && { clientRoles: merged(user.clientRoles, applicationRoles) }),
    ...(links && { federatedIdentities: [...(user.federatedIdentities ?? []), ...links] }),
    ...(clientConsents && { clientConsents: clientConsents.map(modernConsent) }),
  };
}

type Consent = NonNullable<UserInput['clientConsents']>[number];

/** Access to offline tokens was granted as a role before it was a client scope. */
function modernConsent(consent: Consent): Consent {
  if (!consent.grantedRealmRoles?.includes('offline_access')) return consent;
  return { ...consent, grantedClientScopes: [...new Set([...(consent.grantedClientScopes ?? []), 'offline_access'])] };
}

/** Joins the lists of two maps by key. */
function merged<T>(
  first: Record<string, T[]> | undefined,
  second: Record<string, T[]> | undefined,
): Record<string, T[]> | undefined {
  if (!second) return first;
  const joined: Record<string, T[]> = { ...first };
  for (const [key, items] of Object.entries(second))
    joined[key] = [...(Object.hasOwn(joined, key) ? (joined[key] ?? []) : []), ...items];
  return joined;
}

function modernClients({ clients, applications, oauthClients }: RealmInput): ClientInput[] | undefined {
  const named = [...(applications ?? []), ...(oauthClients ?? [])].map(({ name, claims: _, ...client }) => ({
    ...client,
    clientId: client.clientId ?? name,
  }));
  return named.length > 0 ? [...(clients ?? []), ...named] : clients;
}

/** The name of the client scope that a client template becomes: scopes are listed with spaces between them. */
export const scopeOfTemplate = (template: string): string => template.replaceAll(' ', '_');

/** Converts the client templates of a realm import to client scopes. */
export const scopesOfTemplates = ({ clientTemplates = [] }: RealmInput): ClientScopeInput[] =>
  clientTemplates.map(({ id, name, description, protocol, attributes, protocolMappers }) => ({
    id,
    name: name === undefined ? undefined : scopeOfTemplate(name),
    description,
    protocol,
    attributes,
    protocolMappers,
  }));

const modernRoles = (roles: NonNullable<RealmInput['roles']>): NonNullable<RealmInput['roles']> => {
  const client = merged(roles.client, roles.application);
  return {
    ...(roles.realm && { realm: roles.realm.map(modernRole) }),
    ...(client && {
      client: Object.fromEntries(Object.entries(client).map(([name, items]) => [name, items.map(modernRole)])),
    }),
  };
};

function modernRole(role: RoleInput): RoleInput {
  const { composites } = role;
  if (!composites?.application) return role;
  return { ...role, composites: { ...composites, client: merged(composites.client, composites.application) } };
}

function modernMapping(mapping: ScopeMappingInput): ScopeMappingInput {
  const { clientTemplate, clientScope } = mapping;
  return clientTemplate === undefined
    ? mapping
    : { ...mapping, clientScope: clientScope ?? scopeOfTemplate(clientTemplate) };
}

const modernMappings = (mappings: ScopeMappings): ScopeMappings =>
  Object.fromEntries(Object.entries(mappings).map(([name, items]) => [name, items.map(modernMapping)]));

/** Converts user federation providers, and the former key fields of a realm, to components. */
function modernComponents(input: RealmInput): RealmInput['components'] {
  const { components = {}, userFederationProviders, privateKey, certificate } = input;
  const added: Record<string, ComponentExportInput[]> = {};
  if (userFederationProviders) added[storageType] = userFederationProviders.map((one) => storage(one, input));
  if (privateKey !== undefined && !components[keyProviderType]?.length) {
    const key = {
      name: 'rsa',
      providerId: 'rsa',
      config: {
        priority: ['100'],
        privateKey: [privateKey],
        ...(certificate !== undefined && { certificate: [certificate] }),
      },
    };
    added[keyProviderType] = [key, ...defaultKeyProviders.filter(({ providerId }) => providerId !== 'rsa-generated')];
  }
  return Object.keys(added).length > 0 ? merged(components, added) : input.components;
}

type Federation = NonNullable<RealmInput['userFederationProviders']>[number];

function storage(provider: Federation, { userFederationMappers = [] }: RealmInput): ComponentExportInput {
  const { id, displayName, providerName, config, priority, fullSyncPeriod, changedSyncPeriod, lastSync } = provider;
  const numbers = { priority, fullSyncPeriod, changedSyncPeriod, lastSync };
  const mappers = userFederationMappers
    .filter(({ federationProviderDisplayName }) => federationProviderDisplayName === displayName)
    .map((mapper) => ({
      id: mapper.id,
      name: mapper.name,
      providerId: mapper.federationMapperType,
      config: listed(mapper.config ?? {}),
    }));
  return {
    id,
    name: displayName,
    providerId: providerName,
    config: { ...listed(config ?? {}), ...listed(numbers) },
    ...(mappers.length > 0 && { subComponents: { [storageMapperType]: mappers } }),
  };
}

/** Settings in the form of components: each one a list. */
const listed = (settings: Record<string, string | number | undefined>): Record<string, string[]> =>
  Object.fromEntries(
    Object.entries(settings).flatMap(([key, value]) => (value === undefined ? [] : [[key, [String(value)]]])),
  );
