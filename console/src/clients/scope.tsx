import { useParams } from '@tanstack/react-router';
import { descriptionField, flagField, nameField, type Section } from '../parts/fields.js';
import { ObjectScreen } from '../parts/object-screen.js';
import { SettingsForm } from '../parts/settings-form.js';
import { TabSet } from '../parts/tab-set.js';
import { load, useLoad } from '../session/graphql.js';
import { mutate } from '../session/mutate.js';
import { nodeOf } from '../session/node.js';
import { useText } from '../text/text.js';
import { ScopeDetail, type ScopeDetailQuery } from './documents.js';
import { Mappers } from './mappers.js';
import { texts } from './text.js';

type LoadedScope = Extract<NonNullable<ScopeDetailQuery['node']>, { id: string }>;

const sections: Section[] = [
  {
    title: texts.general,
    fields: [
      nameField,
      descriptionField,
      flagField('isInTokenScope', ['Named in the scope of tokens', 'Im Scope von Tokens genannt']),
      flagField('isOnConsentScreen', ['An item of the consent', 'Ein Punkt der Einwilligung']),
      { path: 'consentText', label: texts.consentText, kind: 'long' },
    ],
  },
];

/** A client scope: its settings and mappers. */
export function Scope() {
  const t = useText(texts);
  const { id } = useParams({ from: '/$realm/client-scopes/$id' });
  const loaded = useLoad(ScopeDetail, { id });
  const scope = nodeOf(loaded.data?.node);
  const settings = (scope: LoadedScope) => (
    <SettingsForm
      nameOf={({ name }) => name}
      sections={sections}
      stored={scope}
      isReadOnly={!scope.viewerCan.update.isAllowed}
      save={(input, options) => mutate('clientScopeUpdate', input, options)}
      loadStored={async () => nodeOf((await load(ScopeDetail, { id }))?.node)}
    />
  );
  const mappers = ({ protocol, protocolMappers, viewerCan }: LoadedScope) => (
    <Mappers
      owner={id}
      protocol={protocol}
      mappers={protocolMappers?.nodes ?? []}
      isAllowed={viewerCan.createProtocolMapper.isAllowed}
      reload={loaded.reload}
    />
  );
  return (
    <ObjectScreen
      title={scope?.name ?? t('clientScope')}
      loaded={loaded}
      object={scope}
      remove={{
        isAllowed: scope?.viewerCan.delete.isAllowed,
        act: (options) => mutate('clientScopeDelete', { id }, options),
      }}
    >
      {(scope) => (
        <TabSet
          tabs={[
            ['settings', texts.settings, settings(scope)],
            ['mappers', texts.mappers, mappers(scope)],
          ]}
        />
      )}
    </ObjectScreen>
  );
}
