import { Text } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { FormButton, Review } from '../parts/dialogs.js';
import { CodeBlock } from '../parts/display.js';
import {
  choiceField,
  declaredFields,
  type FieldValues,
  fieldsOf,
  mergedSettings,
  nameField,
  type ProviderSetting,
  type Section,
} from '../parts/fields.js';
import { IconTransform } from '../parts/icons.js';
import { permissionTab } from '../parts/management-permission.js';
import { DetailScreen } from '../parts/object-screen.js';
import { ObjectList } from '../parts/rows.js';
import { mutate, type NodeOf, useNode } from '../session/graphql.js';
import { wholeList } from '../session/pages.js';
import { area, useMay } from '../shell/areas.js';
import { useText } from '../text/text.js';
import { type IdentityProviderType, ProviderDetail, type ProviderDetailQuery } from './documents.js';
import { credentials, documentField, hasDocument, settingsIn, settingsOfKind } from './kinds.js';
import { texts } from './texts.js';

type LoadedProvider = NodeOf<ProviderDetailQuery>;
type Mapper = LoadedProvider['mappers'][number];

/** An identity provider: its settings, mappers, and what SAML providers are told of this server. */
export function Provider() {
  const t = useText(texts);
  const { realm, id } = useParams({ from: '/$realm/identity-providers/$id' });
  const viewsFlows = useMay(realm)('VIEW_FLOWS');
  const shown = useNode(ProviderDetail, { realm, id, viewsFlows });
  const flows = shown.loaded.data?.realm?.authenticationFlows?.nodes ?? [];
  return (
    <DetailScreen
      shown={shown}
      area={area.identityProviders}
      kind={texts.provider}
      nameOf={({ alias }) => alias}
      actions={({ node }) =>
        node.viewerCan.update.isAllowed && hasDocument(node.type) && <ReadSettings realm={realm} provider={node} />
      }
      remove={(_, options) => mutate('identityProviderDelete', { id }, options)}
      form={{
        sections: ({ type }) => sectionsOf(type, flows),
        help: 'identityProviderUpdate',
        save: async ({ settings: changed, ...input }, options) => {
          // of another version than the form, the server refuses it
          const merged = changed ? { settings: mergedSettings((await shown.reload())?.settings ?? [], changed) } : {};
          return mutate('identityProviderUpdate', { ...input, ...merged }, options);
        },
      }}
      tabs={({ node, reload }) => [
        ['mappers', texts.mappers, <Mappers provider={node} reload={reload} />],
        permissionTab(node),
        node.redirectUri !== null && [
          'registration',
          texts.registration,
          <>
            <Text mb="sm">{t('registrationHint')}</Text>
            <CodeBlock label={t('redirectUri')} text={node.redirectUri} />
          </>,
        ],
        node.serviceProviderMetadata !== null && [
          'metadata',
          texts.metadata,
          <CodeBlock label={t('metadata')} text={node.serviceProviderMetadata} />,
        ],
      ]}
    />
  );
}

/** The sections of the form, with the flows that can be chosen: none if the caller may not view them. */
function sectionsOf(type: IdentityProviderType, flows: { id: string; alias: string | null }[]): Section[] {
  const choices = flows.map((flow) => ({ value: flow.id, label: flow.alias ?? '' }));
  const general = fieldsOf(texts, {
    alias: ['text', { isRequired: true }],
    displayName: ['text'],
    isEnabled: ['flag'],
    isLinkOnly: ['flag'],
    trustsEmail: ['flag'],
    storesToken: ['flag'],
    grantsReadTokenRole: ['flag'],
    ...(choices.length > 0 && {
      firstLoginFlow: ['choice', { choices }] as const,
      postLoginFlow: ['choice', { choices }] as const,
    }),
  });
  return [
    { title: texts.general, fields: general },
    { title: texts.provider, fields: settingsOfKind(type) },
  ];
}

/** Reads settings from a document, and saves them after a preview. */
function ReadSettings({ realm, provider }: { realm: string; provider: LoadedProvider }) {
  const t = useText(texts);
  const [found, setFound] = useState<ProviderSetting[]>();
  const { id, type, version, settings } = provider;
  const readAll = async ({ document, settings: typed }: FieldValues) => {
    const { data, errors } = await settingsIn(realm, type, String(document));
    return { data: data && mergedSettings(data, typed), errors };
  };
  const merged = mergedSettings(settings, Object.fromEntries(found?.map(({ name, value }) => [name, value]) ?? []));
  return (
    <>
      <FormButton
        title={t('readSettings')}
        fields={[
          { ...documentField, isRequired: true },
          // the server asks for the secret again before it would send it elsewhere
          ...credentials.filter(({ kind }) => kind === 'secret' && type !== 'SAML'),
        ]}
        submit={readAll}
        onDone={setFound}
      />
      {found && (
        <Review
          title={t('readSettings')}
          act={(options) =>
            mutate('identityProviderUpdate', { id, expectedVersion: version, settings: merged }, options)
          }
          done={t('saved', { name: provider.alias })}
          onClose={() => setFound(undefined)}
        />
      )}
    </>
  );
}

function Mappers({ provider, reload }: { provider: LoadedProvider; reload(): void }) {
  const t = useText(texts);
  const { id, mapperTypes } = provider;
  const choices = mapperTypes.map(({ type: value, name }) => ({ value, label: name }));
  const typeOf = (type: unknown) => mapperTypes.find((known) => known.type === type);
  const settingsOf = (type: unknown) => declaredFields(typeOf(type)?.properties ?? []);
  return (
    <ObjectList<Mapper>
      pages={wholeList(provider.mappers, reload)}
      isAllowed={provider.viewerCan.createIdentityProviderMapper.isAllowed}
      icon={IconTransform}
      empty={{ title: t('noMappers'), hint: t('noMappersHint') }}
      describe={({ type, settings }) => ({
        hint: settings.map(({ name, value }) => `${name}: ${value}`).join(' · '),
        badges: [typeOf(type)?.name ?? type],
      })}
      add={{
        title: t('addMapper'),
        fields: ({ type }) => [nameField, choiceField('type', texts.kind, choices), ...settingsOf(type)],
      }}
      create={({ settings, ...input }) =>
        mutate('identityProviderMapperCreate', {
          identityProvider: id,
          name: '',
          type: '',
          ...input,
          settings: mergedSettings([], settings),
        })
      }
      edit={{
        fields: ({ type }) => settingsOf(type),
        save: (mapper, { settings }, options) => {
          const input = { id: mapper.id, settings: mergedSettings(mapper.settings, settings) };
          return mutate('identityProviderMapperUpdate', input, options);
        },
      }}
      remove={(mapper, options) => mutate('identityProviderMapperDelete', { id: mapper.id }, options)}
    />
  );
}
