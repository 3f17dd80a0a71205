import type { ComponentExportInput } from '../../components/representation.js';
import { splitComponentConfig, withoutGenerated } from '../../components/secrets.js';
import { newColumns } from '../../core/fields.js';
import { userStorage } from '../../core/realm.js';
import { conflict, invalid } from '../../core/refusal.js';
import { sealedEntries } from '../../core/seal.js';
import { placeOfSecrets } from '../../core/sealed-columns.js';
import { identityProviderFields } from '../../identity-providers/fields.js';
import { splitProviderConfig } from '../../identity-providers/secrets.js';
import { withHiding } from '../../identity-providers/settings.js';
import { keyProviderType } from '../../keys/provider.js';
import { faultOfConnection } from '../../user-storage/settings.js';
import { defaultKeyProviders, defaultRegistrationPolicies, registrationPolicyType } from '../defaults/components.js';
import { firstBrokerLoginFlow } from '../defaults/flows.js';
import { type Draft, itemsOf } from './draft.js';
import { unknownFlow } from './flows.js';

/** Adds the components of the file. Key providers and registration policies are added if it has none of that type. */
export function assembleComponents(draft: Draft): void {
  const given = draft.input.components ?? {};
  addComponents(draft, draft.realmId, given);
  if (draft.context.isWhole) return;
  if (!given[keyProviderType]?.length) addComponents(draft, draft.realmId, { [keyProviderType]: defaultKeyProviders });
  if (!given[registrationPolicyType]?.length) {
    addComponents(draft, draft.realmId, { [registrationPolicyType]: defaultRegistrationPolicies });
  }
}

function addComponents(
  draft: Draft,
  parentId: string,
  byType: Readonly<Record<string, readonly ComponentExportInput[]>>,
  field = 'components',
): void {
  for (const [providerType, components] of Object.entries(byType)) {
    for (const [index, component] of components.entries()) {
      const at = `${field}.${providerType}.${index}`;
      const { providerId } = component;
      if (providerId === undefined) {
        draft.refusals.add(invalid('`providerId` is required for every component', `${at}.providerId`));
        continue;
      }
      const given = component.config ?? {};
      const { config, secrets } = splitComponentConfig(
        providerType,
        providerId,
        draft.context.takesKeys ? given : withoutGenerated(providerType, providerId, given),
      );
      const fault = providerType === userStorage && providerId === 'ldap' ? faultOfConnection(config) : undefined;
      if (fault !== undefined) draft.refusals.add(invalid(fault, `${at}.config.connectionUrl`));
      const id = draft.ids.of('Component', component.id);
      if (providerType === userStorage) draft.storages.add(id);
      const row = { id, realmId: draft.realmId };
      draft.rows.Component.push({
        ...row,
        parentId,
        name: component.name ?? null,
        providerId,
        providerType,
        subType: component.subType ?? null,
        config,
        secrets: sealedEntries(secrets, placeOfSecrets('Component', row), draft.context),
      });
      addComponents(draft, id, component.subComponents ?? {}, `${at}.subComponents`);
    }
  }
}

type ProviderInput = NonNullable<Draft['input']['identityProviders']>[number];
type ProviderMapperInput = NonNullable<Draft['input']['identityProviderMappers']>[number];

/** The identity providers of the file and their mappers. */
export async function assembleIdentityProviders(draft: Draft): Promise<void> {
  const aliases = new Set<string>();
  const addProvider = (provider: ProviderInput, index: number): void => {
    const { alias, providerId } = provider;
    const field = `identityProviders.${index}`;
    if (alias === undefined) throw invalid('`alias` of the identity provider is required', `${field}.alias`);
    if (providerId === undefined)
      throw invalid('`providerId` is required for every identity provider', `${field}.providerId`, {
        missing: { kind: 'identityProviders', isItself: true },
      });
    if (aliases.has(alias)) throw conflict(`Identity Provider ${alias} already exists`, `${field}.alias`, 'NAME_TAKEN');
    aliases.add(alias);
    const { config, secrets } = splitProviderConfig(withHiding(provider.config ?? {}, provider.hideOnLogin));
    const row = { id: draft.ids.of('IdentityProvider', provider.internalId, 'internalId'), realmId: draft.realmId };
    draft.rows.IdentityProvider.push({
      ...newColumns(identityProviderFields, provider),
      ...row,
      alias,
      position: (draft.context.firstProvider ?? 1) + index,
      providerId,
      firstBrokerLoginFlowAlias: firstFlow(
        draft,
        provider.firstBrokerLoginFlowAlias,
        `${field}.firstBrokerLoginFlowAlias`,
      ),
      postBrokerLoginFlowAlias:
        knownFlow(draft, provider.postBrokerLoginFlowAlias, `${field}.postBrokerLoginFlowAlias`) ?? null,
      config,
      secrets: sealedEntries(secrets, placeOfSecrets('IdentityProvider', row), draft.context),
    });
  };
  for await (const [index, provider] of itemsOf(draft, draft.input.identityProviders))
    draft.refusals.attempt(() => addProvider(provider, index));
  for await (const [index, mapper] of itemsOf(draft, draft.input.identityProviderMappers))
    draft.refusals.attempt(() => addProviderMapper(draft, mapper, `identityProviderMappers.${index}`));
}

function addProviderMapper(draft: Draft, mapper: ProviderMapperInput, field: string): void {
  const { name, identityProviderAlias, identityProviderMapper } = mapper;
  if (name === undefined) throw invalid('`name` is required for every identity provider mapper', `${field}.name`);
  if (identityProviderMapper === undefined)
    throw invalid(`\`identityProviderMapper\` of the mapper "${name}" is required`, `${field}.identityProviderMapper`, {
      missing: { kind: 'identityProviderMappers', isItself: true },
    });
  // the reference server keeps mappers with the alias of no provider: one may be added later
  if (!identityProviderAlias) {
    throw invalid(`\`identityProviderAlias\` of the mapper "${name}" is required`, `${field}.identityProviderAlias`);
  }
  draft.rows.IdentityProviderMapper.push({
    id: draft.ids.of('IdentityProviderMapper', mapper.id),
    realmId: draft.realmId,
    identityProviderAlias,
    name,
    identityProviderMapper,
    config: mapper.config ?? {},
  });
}

/** A provider without a flow for first logins gets the default one, even if the realm has no flow with this name. */
const firstFlow = (draft: Draft, alias: string | undefined, field: string): string =>
  alias === firstBrokerLoginFlow ? alias : (knownFlow(draft, alias, field) ?? firstBrokerLoginFlow);

function knownFlow(draft: Draft, alias: string | undefined, field: string): string | undefined {
  if (alias === undefined || alias === '') return undefined;
  if (!draft.flowByAlias.has(alias)) draft.refusals.add(unknownFlow(alias, field));
  return alias;
}
