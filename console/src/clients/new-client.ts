import { createdIn } from '../parts/dialogs.js';
import { choiceField, type FieldValues, type FormField } from '../parts/fields.js';
import type { ClientCreateInput } from '../session/documents.js';
import { load, mutate, nodeOf } from '../session/graphql.js';
import type { Text } from '../text/text.js';
import { ClientSecret, type RealmClientsQuery } from './documents.js';
import { texts } from './texts.js';

const flows = (enabled: object) => ({ flows: { isStandardEnabled: false, isDirectAccessEnabled: false, ...enabled } });

/** The kinds of applications, with the settings that the API gets for each. */
const kinds: Record<string, { title: Text; input: Partial<ClientCreateInput>; hasAddresses: boolean }> = {
  web: {
    title: texts.webApplicationInABrowser,
    input: { kind: 'PUBLIC', ...flows({ isStandardEnabled: true }), authorizationRequests: { pkceMethod: 'S256' } },
    hasAddresses: true,
  },
  server: {
    title: texts.applicationOnAServer,
    input: { kind: 'CONFIDENTIAL', ...flows({ isStandardEnabled: true }) },
    hasAddresses: true,
  },
  service: {
    title: texts.serviceAccountWithoutUsers,
    input: { kind: 'CONFIDENTIAL', ...flows({ isServiceAccountEnabled: true }) },
    hasAddresses: false,
  },
  bearer: {
    title: texts.serviceThatOnlyChecksTokens,
    input: { kind: 'BEARER_ONLY' },
    hasAddresses: false,
  },
  saml: { title: texts.samlApplication, input: { protocol: 'SAML' }, hasAddresses: true },
};

const choices = Object.entries(kinds).map(([value, { title }]) => ({ value, label: title }));

const redirectUris: FormField = {
  path: 'redirectUris',
  label: texts.redirectUris,
  kind: 'lines',
  hint: texts.redirectUrisHint,
};

/** The dialog that creates a client of a kind. */
export const newClient = {
  title: texts.create,
  isAllowed: ({ viewerCan }: NonNullable<RealmClientsQuery['realm']>) => viewerCan?.createClient.isAllowed,
  help: 'clientCreate' as const,
  start: { application: 'web' },
  fields: ({ application }: FieldValues): FormField[] => [
    // stands for several values of the input
    { ...choiceField('application', texts.kind, choices), explainedBy: false },
    { path: 'clientId', label: texts.clientId, isRequired: true },
    { path: 'name', label: texts.name },
    ...(kinds[String(application)]?.hasAddresses ? [redirectUris] : []),
  ],
  submit: (realm: string, { application, ...given }: FieldValues) =>
    mutate('clientCreate', { realm, clientId: '', ...kinds[String(application)]?.input, ...given }),
  named: 'clientId',
  secretOf: async (data: object | undefined) => {
    const id = createdIn(data);
    return id && nodeOf((await load(ClientSecret, { id }))?.node)?.secret;
  },
  secretHint: texts.secretHint,
};
