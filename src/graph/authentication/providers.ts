import { describeConfig } from '../../services/authentication/operations.js';
import { type ProviderSetting, type SettingType, settingsOf } from '../../services/authentication/provider-settings.js';
import {
  type AuthenticatorProvider,
  authenticators,
  clientAuthenticators,
  formActions,
  formProviders,
  newerAuthenticators,
  type Requirement,
} from '../../services/authentication/providers.js';
import { builder } from '../core/builder.js';
import { Realm } from '../realms/realms.js';

export const ExecutionRequirement = builder.enumType('ExecutionRequirement', {
  description: 'Effect of the result of an execution on its flow.',
  values: {
    REQUIRED: { description: 'The execution must succeed.' },
    ALTERNATIVE: { description: 'At least one alternative must succeed, unless the flow has required executions.' },
    CONDITIONAL: { description: 'The subflow is required if all its conditions are met.' },
    DISABLED: { description: 'The execution is skipped.' },
  },
});

const kinds = {
  AUTHENTICATOR: { providers: [...authenticators, ...newerAuthenticators], description: 'Authenticator for users.' },
  CLIENT: { providers: clientAuthenticators, description: 'Authenticator for clients.' },
  FORM: { providers: formProviders, description: 'Page of a form flow.' },
  FORM_ACTION: { providers: formActions, description: 'Action of a form flow.' },
} as const;
type Kind = keyof typeof kinds;

const ProviderKind = builder.enumType('AuthenticationProviderKind', {
  description: 'Kind of an authentication provider: where in a flow it can be used.',
  values: Object.fromEntries(Object.entries(kinds).map(([name, { description }]) => [name, { description }])) as Record<
    Kind,
    { description: string }
  >,
});

const settingTypes: Record<SettingType, string> = {
  String: 'TEXT',
  Text: 'LONG_TEXT',
  MultivaluedString: 'TEXTS',
  List: 'CHOICE',
  Role: 'ROLE',
  boolean: 'FLAG',
};

const SettingKind = builder.enumType('AuthenticatorSettingKind', {
  description: 'Type of an authenticator setting.',
  values: {
    TEXT: { description: 'A single line of text.' },
    LONG_TEXT: { description: 'Text of several lines.' },
    TEXTS: { description: 'Several texts separated by `##`.' },
    CHOICE: { description: 'A value from `options`.' },
    ROLE: { description: 'Name of a realm role, or of a client role as `clientId.role`.' },
    FLAG: { description: 'A boolean, `true` or `false`.' },
  },
});

const Setting = builder.objectRef<ProviderSetting>('AuthenticatorSettingDescription').implement({
  description: 'A setting that an authenticator configuration can have.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Name of the setting in a configuration.' }),
    label: t.exposeString('label', { description: 'Label of the setting in forms.' }),
    helpText: t.exposeString('helpText', { description: 'Help text for the setting.' }),
    kind: t.field({
      type: SettingKind,
      description: 'Type of the setting.',
      resolve: ({ type }) => settingTypes[type] as 'TEXT',
    }),
    defaultValue: t.string({
      nullable: true,
      description: 'Value used if the configuration does not set one. Null: no default.',
      resolve: ({ defaultValue }) => defaultValue ?? null,
    }),
    options: t.stringList({
      description: 'Allowed values if `kind` is `CHOICE`.',
      resolve: ({ options }) => [...(options ?? [])],
    }),
  }),
});

export const AuthenticationProvider = builder
  .objectRef<AuthenticatorProvider & { kind: Kind }>('AuthenticationProvider')
  .implement({
    description: 'An authentication provider: an authenticator, form page, or form action that this server has.',
    fields: (t) => ({
      providerId: t.exposeString('id', { description: 'ID of the provider, as used in executions.' }),
      kind: t.field({
        type: ProviderKind,
        description: 'Where in a flow the provider can be used.',
        resolve: ({ kind }) => kind,
      }),
      displayName: t.exposeString('displayName', { description: 'Display name of the provider.' }),
      description: t.exposeString('description', { description: 'Description of the provider.' }),
      requirementChoices: t.field({
        type: [ExecutionRequirement],
        description: 'Requirements an execution of this provider can be set to.',
        resolve: ({ requirementChoices }): Requirement[] => [...requirementChoices],
      }),
      settings: t.field({
        type: [Setting],
        description: 'Settings its configuration can have. Empty if it is not configurable.',
        resolve: ({ id }) => [...settingsOf(id)],
      }),
    }),
  });

const every = (Object.keys(kinds) as Kind[]).flatMap((kind) =>
  kinds[kind].providers.map((provider) => ({ ...provider, kind })),
);
const byId = new Map(every.map((provider) => [provider.id, provider]));

/** The provider with this ID as its type shows it, or null if this server does not have it. */
export const shownProvider = (id: string | null) => byId.get(id ?? '') ?? null;

builder.prismaObjectField(Realm, 'authenticationProviders', (t) =>
  t.field({
    type: [AuthenticationProvider],
    nullable: true,
    description: 'Authentication providers available to executions.',
    requires: describeConfig,
    args: { kind: t.arg({ type: ProviderKind, description: 'Returns only providers of this kind. Omit for all.' }) },
    resolve: (_realm, { kind }) => every.filter((provider) => kind == null || provider.kind === kind),
  }),
);
