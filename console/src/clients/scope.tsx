import { Button } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { NotFound } from '../parts/not-found.js';
import { Review } from '../parts/review.js';
import { type Section, SettingsForm } from '../parts/settings-form.js';
import { TabSet } from '../parts/tab-set.js';
import { load, mutate, useLoad } from '../session/graphql.js';
import { Screen } from '../shell/screen.js';
import { useText } from '../text/text.js';
import { ScopeDelete, ScopeDetail, type ScopeDetailQuery, ScopeSave } from './documents.js';
import { Mappers } from './mappers.js';
import { texts } from './text.js';

type LoadedScope = Extract<NonNullable<ScopeDetailQuery['node']>, { name: string }>;

const sections: Section[] = [
  {
    title: ['General', 'Allgemein'],
    fields: [
      { path: 'name', label: texts.name, isRequired: true },
      { path: 'description', label: texts.description },
      {
        path: 'isInTokenScope',
        label: ['Named in the scope of tokens', 'Im Scope von Tokens genannt'],
        kind: 'flag',
      },
      { path: 'isOnConsentScreen', label: ['An item of the consent', 'Ein Punkt der Einwilligung'], kind: 'flag' },
      { path: 'consentText', label: ['Text of the consent', 'Text der Einwilligung'], kind: 'long' },
    ],
  },
];

/** A client scope: its settings and mappers. */
export function Scope() {
  const t = useText(texts);
  const { realm, id } = useParams({ from: '/$realm/client-scopes/$id' });
  const navigate = useNavigate();
  const [isDeleting, setDeleting] = useState(false);
  const loaded = useLoad(ScopeDetail, { id });
  const scope = scopeOf(loaded.data?.node);
  return (
    <Screen
      title={scope?.name ?? t('clientScope')}
      loaded={loaded}
      actions={
        scope?.viewerCan.delete.isAllowed && (
          <Button variant="default" leftSection={<IconTrash size={16} aria-hidden />} onClick={() => setDeleting(true)}>
            {t('remove')}
          </Button>
        )
      }
    >
      {() => {
        if (!scope) return <NotFound />;
        const { name, protocol, protocolMappers, viewerCan } = scope;
        const settings = (
          <SettingsForm
            name={name}
            sections={sections}
            stored={scope}
            isReadOnly={!viewerCan.update.isAllowed}
            save={(input, options) => mutate(ScopeSave, { input }, options)}
            loadStored={async () => scopeOf((await load(ScopeDetail, { id }))?.node)}
          />
        );
        const mappers = (
          <Mappers
            owner={id}
            protocol={protocol}
            mappers={protocolMappers?.edges.map(({ node }) => node) ?? []}
            isAllowed={viewerCan.createProtocolMapper.isAllowed}
            reload={loaded.reload}
          />
        );
        return (
          <>
            <TabSet
              tabs={[
                { name: 'settings', title: t('settings'), content: settings, keepsMounted: true },
                { name: 'mappers', title: t('mappers'), content: mappers },
              ]}
            />
            {isDeleting && (
              <Review
                title={`${t('remove')}: ${name}`}
                act={(options) => mutate(ScopeDelete, { id }, options)}
                done={t('removed', { name })}
                isDangerous
                onDone={() => navigate({ to: '/$realm/client-scopes', params: { realm } })}
                onClose={() => setDeleting(false)}
              />
            )}
          </>
        );
      }}
    </Screen>
  );
}

/** The client scope among the types that a node may be of. */
const scopeOf = (node: object | null | undefined): LoadedScope | undefined =>
  node && 'isInTokenScope' in node ? (node as LoadedScope) : undefined;
