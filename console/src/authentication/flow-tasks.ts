import type { FormDialogProps } from '../parts/dialogs.js';
import {
  choiceField,
  declaredFields,
  descriptionField,
  type FieldValues,
  type FormField,
  mergedSettings,
  valuesAt,
} from '../parts/fields.js';
import { mutate } from '../session/graphql.js';
import type { Translate } from '../text/text.js';
import type * as documents from './documents.js';
import type { AuthenticationQuery } from './documents.js';
import { texts } from './texts.js';

/** What each tab of the screen gets. */
export interface AuthenticationPart {
  realm: NonNullable<AuthenticationQuery['realm']>;
  rules: NonNullable<AuthenticationQuery['serverInfo']>['passwordRules'];
  reload(): void;
}

type Realm = AuthenticationPart['realm'];
type Provider = NonNullable<Realm['authenticationProviders']>[number];
type Flow = documents.FlowHeadFragment;

/** Something that is asked for in a dialog, and then done with a flow or an execution. */
type Task = Omit<FormDialogProps<object>, 'onClose'>;

const alias: FormField = { path: 'alias', label: texts.name, isRequired: true };
const kindOf = (choices: documents.AuthenticationFlowKind[]): FormField => ({
  ...choiceField(
    'kind',
    texts.kind,
    choices.map((value) => ({ value, label: texts[value] })),
  ),
  start: choices[0],
});
const providerOf = (providers: Provider[], kind: documents.AuthenticationProviderKind) =>
  providers
    .filter((provider) => provider.kind === kind)
    .map(({ providerId, displayName }) => ({ value: providerId, label: displayName }));

/** What executions of a kind of flow can run. */
const executed = { BASIC: 'AUTHENTICATOR', CLIENT: 'CLIENT', FORM: 'FORM_ACTION' } as const;

/** The settings that the configuration of an execution can have. */
export const settingsOf = (providers: Provider[] | null | undefined, providerId: string | null): FormField[] =>
  declaredFields(
    (providers?.find((provider) => provider.providerId === providerId)?.settings ?? []).map(({ kind, ...setting }) => ({
      ...setting,
      type: kind,
      isSecret: false,
    })),
  );

/** Where a realm has the flow of each use. */
const bindings = [
  { use: 'BROWSER', flow: 'browser' },
  { use: 'DIRECT_GRANT', flow: 'directGrant' },
  { use: 'REGISTRATION', flow: 'registration' },
  { use: 'RESET_CREDENTIALS', flow: 'resetCredentials' },
  { use: 'CLIENT_AUTHENTICATION', flow: 'clientAuthentication' },
  { use: 'DOCKER_AUTHENTICATION', flow: 'dockerAuthentication' },
] as const satisfies { use: documents.AuthenticationFlowUse; flow: string }[];

const bindingOf = (input: FieldValues) => bindings.find(({ use }) => use === input.use);

/** What a stored secret, which is not returned, is sent as to stay as it is. */
const keptSecret = '**********';

/** The tasks of a realm's flows. */
export function flowTasks({ id, authenticationProviders, authenticationFlows }: Realm, t: Translate<typeof texts>) {
  const providers = authenticationProviders ?? [];
  return {
    create: (): Task => ({
      title: t('create'),
      fields: [alias, descriptionField, kindOf(['BASIC', 'CLIENT'])],
      submit: (input, options) => mutate('authenticationFlowCreate', { realm: id, alias: '', ...input }, options),
    }),
    copy: (flow: Flow): Task => ({
      title: t('copy'),
      fields: [alias],
      start: { alias: `${flow.alias} 2` },
      submit: (input, options) =>
        mutate('authenticationFlowCopy', { id: flow.id, alias: String(input.alias) }, options),
    }),
    use: (flow: Flow): Task => {
      const choices = bindings
        .filter(({ use }) => (use === 'CLIENT_AUTHENTICATION') === (flow.kind === 'CLIENT'))
        .map(({ use }) => ({ value: use, label: t(use) }));
      const bind = (binding: (typeof bindings)[number] | undefined, to: string) =>
        mutate('realmUpdate', { id, flows: binding ? { [binding.flow]: to } : {} });
      return {
        title: t('use'),
        hint: t('useHint'),
        fields: [{ ...choiceField('use', texts.useFor, choices), start: choices[0]?.value }],
        submit: (input) => bind(bindingOf(input), flow.id),
        done: () => t('used', { name: flow.alias }),
        undo: (input) => {
          const binding = bindingOf(input);
          const before = authenticationFlows?.nodes.find(({ uses }) => uses?.some((use) => use === binding?.use));
          return before && (() => bind(binding, before.id));
        },
      };
    },
    edit: (flow: Flow): Task => ({
      title: t('edit'),
      fields: [alias, descriptionField],
      start: { alias: flow.alias, description: flow.description },
      isPreviewed: true,
      submit: (input, options) =>
        mutate('authenticationFlowUpdate', { id: flow.id, expectedVersion: flow.version, ...input }, options),
    }),
    addExecution: (flow: Flow): Task => ({
      title: t('addExecution', { name: flow.alias }),
      fields: [choiceField('provider', texts.provider, providerOf(providers, executed[flow.kind ?? 'BASIC']))],
      submit: ({ provider }, options) =>
        mutate('flowExecutionCreate', { authenticationFlow: flow.id, provider: String(provider) }, options),
    }),
    addSubflow: (flow: Flow): Task => ({
      title: t('addSubflow', { name: flow.alias }),
      fields: ({ kind }) => [
        alias,
        descriptionField,
        kindOf(flow.kind === 'CLIENT' ? ['CLIENT'] : ['BASIC', 'FORM']),
        ...(kind === 'FORM' ? [choiceField('page', texts.page, providerOf(providers, 'FORM'))] : []),
      ],
      submit: (input, options) =>
        mutate('authenticationFlowCreateSubflow', { id: flow.id, alias: '', ...input }, options),
    }),
    configure: ({ id: flowExecution, displayName, providerId, config }: documents.ExecutionFragment): Task => {
      const fields = settingsOf(providers, providerId);
      const stored = config?.settings.map(({ name, value }) => ({ name, value: value ?? keptSecret })) ?? [];
      return {
        title: t('configure', { name: displayName }),
        fields: [{ path: 'alias', label: texts.configName, isRequired: true }, ...fields],
        start: {
          alias: config?.alias ?? displayName,
          ...valuesAt(fields, { settings: stored }),
        },
        isPreviewed: true,
        submit: (input, options) => {
          const values = { alias: String(input.alias), settings: mergedSettings(stored, input.settings) };
          return config
            ? mutate(
                'authenticatorConfigUpdate',
                { id: config.id, expectedVersion: config.version, ...values },
                options,
              )
            : mutate('authenticatorConfigCreate', { flowExecution, ...values }, options);
        },
      };
    },
  };
}
