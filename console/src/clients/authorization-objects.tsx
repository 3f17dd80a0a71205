import { readFiles } from '../code/files.js';
import { texts as fileTexts } from '../code/texts.js';
import { FormButton } from '../parts/dialogs.js';
import { fieldsOf, nameField, type Section, valuesAt } from '../parts/fields.js';
import { IconShield, IconStack2 } from '../parts/icons.js';
import { ObjectList, RowSection } from '../parts/rows.js';
import { SettingsForm } from '../parts/settings-form.js';
import { load, mutate, nodeOf } from '../session/graphql.js';
import { usePages } from '../session/pages.js';
import { useText } from '../text/text.js';
import type { ClientPart } from './client-tabs.js';
import { ClientAuthorizationResources, ClientAuthorizationScopes, ResourceScopes } from './documents.js';
import { texts } from './texts.js';

const displayName = fieldsOf(texts, { displayName: ['text'] });

const resourceFields = [
  nameField,
  ...displayName,
  ...fieldsOf(texts, {
    type: ['text', { hint: texts.resourceTypeHint }],
    uris: ['lines', { hint: texts.urisHint }],
    scopeNames: ['lines', { hint: texts.scopeNamesHint }],
    allowsOwnerManagedAccess: ['flag'],
  }),
];

const scopeFields = [nameField, ...displayName];

/** The resources of a resource server, and their scopes. */
export function ProtectedObjects({ node: { id: client }, reload, isAllowed }: ClientPart & { isAllowed: boolean }) {
  const t = useText(texts);
  const resources = usePages(
    ClientAuthorizationResources,
    { id: client },
    ({ node }) => nodeOf(node)?.authorizationResources,
  );
  const scopes = usePages(ClientAuthorizationScopes, { id: client }, ({ node }) => nodeOf(node)?.authorizationScopes);
  // a resource can bring new scopes, and policies choose among both
  const reloadAll = () => Promise.all([resources.reload(), scopes.reload(), reload()]);
  return (
    <>
      <RowSection title={t('resources')}>
        <ObjectList
          pages={{ ...resources, reload: reloadAll }}
          isAllowed={isAllowed}
          help="authorizationResourceUpdate"
          icon={IconStack2}
          empty={{ title: t('noResources'), hint: t('noResourcesHint') }}
          describe={({ type, uris }) => ({ hint: uris.join(', '), badges: [type] })}
          add={{ title: t('addResource'), fields: resourceFields }}
          create={(input) => mutate('authorizationResourceCreate', { client, name: '', ...input })}
          edit={{
            fields: () => resourceFields,
            startOf: async (resource) => {
              const stored = nodeOf((await load(ResourceScopes, { id: resource.id }))?.node);
              const scopeNames = stored?.scopes?.nodes.map(({ name }) => name) ?? [];
              return { ...valuesAt(resourceFields, resource), scopeNames };
            },
            save: ({ id, version }, input, options) =>
              mutate('authorizationResourceUpdate', { id, expectedVersion: version, ...input }, options),
          }}
          remove={({ id }, options) => mutate('authorizationResourceDelete', { id }, options)}
        />
      </RowSection>
      <RowSection title={t('authorizationScopes')}>
        <ObjectList
          pages={{ ...scopes, reload: reloadAll }}
          isAllowed={isAllowed}
          help="authorizationScopeUpdate"
          icon={IconShield}
          empty={{ title: t('noAuthorizationScopes'), hint: t('noAuthorizationScopesHint') }}
          describe={({ displayName }) => ({ hint: displayName })}
          add={{ title: t('addAuthorizationScope'), fields: scopeFields }}
          create={(input) => mutate('authorizationScopeCreate', { client, name: '', ...input })}
          edit={{
            fields: () => scopeFields,
            save: ({ id, version }, input, options) =>
              mutate('authorizationScopeUpdate', { id, expectedVersion: version, ...input }, options),
          }}
          remove={({ id }, options) => mutate('authorizationScopeDelete', { id }, options)}
        />
      </RowSection>
    </>
  );
}

const settings: Section[] = [
  {
    title: texts.settings,
    fields: fieldsOf(texts, {
      enforcement: [['ENFORCING', 'PERMISSIVE', 'DISABLED'], { isRequired: true }],
      decisionStrategy: [['UNANIMOUS', 'AFFIRMATIVE'], { isRequired: true }],
      allowsRemoteManagement: ['flag'],
    }),
  },
];

/** How a resource server decides, and the import of everything that it has. */
export function ResourceServer({
  node: { id: client, clientId, resourceServer },
  reload,
  onImported,
}: ClientPart & { onImported(): void }) {
  const t = useText(texts);
  const fileText = useText(fileTexts);
  if (!resourceServer) return null;
  return (
    <>
      <SettingsForm
        nameOf={() => clientId}
        sections={settings}
        stored={resourceServer}
        save={({ id: _, ...input }, options) => mutate('resourceServerUpdate', { client, ...input }, options)}
        help="resourceServerUpdate"
        reload={async () => (await reload())?.resourceServer ?? undefined}
      />
      {resourceServer.viewerCan.import.isAllowed && (
        <FormButton
          title={t('importAuthorization')}
          hint={t('importAuthorizationHint')}
          fields={[{ path: 'file', label: texts.file, kind: 'file', accept: '.json,.yaml,.yml', isRequired: true }]}
          isPreviewed
          submit={async ({ file }, options) => {
            const read = await readFiles([file as File], fileText).catch((error: Error) => error);
            if (!(read instanceof Error))
              return mutate('resourceServerImport', { client, settings: { json: read.value } }, options);
            return { data: undefined, errors: [{ code: 'FILE', message: read.message, path: ['file'] }] };
          }}
          done={() => t('authorizationImported')}
          onDone={() => {
            reload();
            onImported();
          }}
        />
      )}
    </>
  );
}
