import { useNavigate } from '@tanstack/react-router';
import type { FormField } from '../parts/field-input.js';
import { FormDialog } from '../parts/form-dialog.js';
import { mutate } from '../session/graphql.js';
import { useStore } from '../session/store.js';
import { useNotify } from '../shell/notify.js';
import { language, type Text, translated, useText } from '../text/text.js';
import { ClientAdd, type ClientCreateInput } from './documents.js';
import { texts } from './text.js';

const flows = (enabled: object) => ({ flows: { isStandardEnabled: false, isDirectAccessEnabled: false, ...enabled } });

/** The kinds of applications, with what the API is told of each. */
const kinds: Record<string, { title: Text; input: Partial<ClientCreateInput>; hasAddresses: boolean }> = {
  web: {
    title: ['Web application in a browser', 'Webanwendung im Browser'],
    input: { kind: 'PUBLIC', ...flows({ isStandardEnabled: true }), authorizationRequests: { pkceMethod: 'S256' } },
    hasAddresses: true,
  },
  server: {
    title: ['Application on a server', 'Anwendung auf einem Server'],
    input: { kind: 'CONFIDENTIAL', ...flows({ isStandardEnabled: true }) },
    hasAddresses: true,
  },
  service: {
    title: ['Service account, without users', 'Dienstkonto, ohne Benutzer'],
    input: { kind: 'CONFIDENTIAL', ...flows({ isServiceAccountEnabled: true }) },
    hasAddresses: false,
  },
  bearer: {
    title: ['Service that only checks tokens', 'Dienst, der nur Tokens prüft'],
    input: { kind: 'BEARER_ONLY' },
    hasAddresses: false,
  },
  saml: { title: ['SAML application', 'SAML-Anwendung'], input: { protocol: 'SAML' }, hasAddresses: true },
};

/** Creates a client of a kind and opens it. */
export function CreateClient({ realm, realmId, onClose }: { realm: string; realmId: string; onClose(): void }) {
  const t = useText(texts);
  const present = useStore(language);
  const navigate = useNavigate();
  const notify = useNotify();
  const kindField: FormField = {
    path: 'application',
    label: texts.kind,
    kind: 'choice',
    isRequired: true,
    choices: Object.entries(kinds).map(([value, { title }]) => ({ value, label: translated(title, present) })),
  };
  const redirectUris: FormField = { path: 'redirectUris', label: ['Redirect URIs', 'Redirect-URIs'], kind: 'lines' };
  return (
    <FormDialog
      title={t('create')}
      start={{ application: 'web' }}
      fields={({ application }) => [
        kindField,
        { path: 'clientId', label: ['Client ID', 'Client-ID'], isRequired: true },
        { path: 'name', label: texts.name },
        ...(kinds[application as string]?.hasAddresses ? [redirectUris] : []),
      ]}
      submit={({ application, ...given }) =>
        mutate(ClientAdd, {
          input: { realm: realmId, clientId: '', ...kinds[application as string]?.input, ...given },
        })
      }
      onDone={(data) => {
        const client = data?.clientCreate.client;
        if (!client) return;
        notify.succeeded(t('created', { name: client.clientId }));
        navigate({ to: '/$realm/clients/$id', params: { realm, id: client.id } });
      }}
      onClose={onClose}
    />
  );
}
