import { useParams } from '@tanstack/react-router';
import { ObjectScreen } from '../parts/object-screen.js';
import { type Section, SettingsForm } from '../parts/settings-form.js';
import { TabSet } from '../parts/tab-set.js';
import { load, mutate, useLoad } from '../session/graphql.js';
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
  const { id } = useParams({ from: '/$realm/client-scopes/$id' });
  const loaded = useLoad(ScopeDetail, { id });
  const scope = scopeOf(loaded.data?.node);
  return (
    <ObjectScreen
      title={scope?.name ?? t('clientScope')}
      loaded={loaded}
      object={scope}
      remove={{
        isAllowed: scope?.viewerCan.delete.isAllowed,
        act: (options) => mutate(ScopeDelete, { id }, options),
      }}
    >
      {(scope) => {
        const settings = (
          <SettingsForm
            name={scope.name}
            sections={sections}
            stored={scope}
            isReadOnly={!scope.viewerCan.update.isAllowed}
            save={(input, options) => mutate(ScopeSave, { input }, options)}
            loadStored={async () => scopeOf((await load(ScopeDetail, { id }))?.node)}
          />
        );
        const mappers = (
          <Mappers
            owner={id}
            protocol={scope.protocol}
            mappers={scope.protocolMappers?.edges.map(({ node }) => node) ?? []}
            isAllowed={scope.viewerCan.createProtocolMapper.isAllowed}
            reload={loaded.reload}
          />
        );
        return (
          <TabSet
            tabs={[
              { name: 'settings', title: t('settings'), content: settings, keepsMounted: true },
              { name: 'mappers', title: t('mappers'), content: mappers },
            ]}
          />
        );
      }}
    </ObjectScreen>
  );
}

/** The client scope among the types that a node may be of. */
const scopeOf = (node: object | null | undefined): LoadedScope | undefined =>
  node && 'isInTokenScope' in node ? (node as LoadedScope) : undefined;
