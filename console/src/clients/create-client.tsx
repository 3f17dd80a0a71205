import { choiceField, type FieldValues, type FormField } from '../parts/fields.js';
import type { ClientCreateInput } from '../session/documents.js';
import { mutate } from '../session/mutate.js';
import { type Text, useText, useTranslated } from '../text/text.js';
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

const redirectUris: FormField = { path: 'redirectUris', label: texts.redirectUris, kind: 'lines' };

/** The dialog that creates a client of a kind. */
export function useCreation(realm: string) {
  const t = useText(texts);
  const translate = useTranslated();
  const choices = Object.entries(kinds).map(([value, { title }]) => ({ value, label: translate(title) }));
  return {
    title: t('create'),
    start: { application: 'web' },
    fields: ({ application }: FieldValues): FormField[] => [
      choiceField('application', texts.kind, choices),
      { path: 'clientId', label: texts.clientId, isRequired: true },
      { path: 'name', label: texts.name },
      ...(kinds[application as string]?.hasAddresses ? [redirectUris] : []),
    ],
    submit: ({ application, ...given }: FieldValues) =>
      mutate('clientCreate', { realm, clientId: '', ...kinds[application as string]?.input, ...given }),
    done: (_: unknown, { clientId }: FieldValues) => t('created', { name: String(clientId) }),
  };
}
