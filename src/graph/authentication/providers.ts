import { type ProviderSetting, type SettingType, settingsOf } from '../../services/authentication/provider-settings.js';
import {
  type AuthenticatorProvider,
  authenticators,
  clientAuthenticators,
  formActions,
  formProviders,
  type Requirement,
} from '../../services/authentication/providers.js';
import { builder } from '../core/builder.js';
import { permitById } from '../core/node.js';
import { Realm } from '../realms/realms.js';

export const ExecutionRequirement = builder.enumType('ExecutionRequirement', {
  description: 'What the outcome of a step means for its flow.',
  values: {
    REQUIRED: { description: 'It has to succeed.' },
    ALTERNATIVE: { description: 'One of the alternatives has to succeed, where nothing is required.' },
    CONDITIONAL: { description: 'Its flow is required if the conditions in it hold.' },
    DISABLED: { description: 'It is left out.' },
  },
});

const kinds = {
  AUTHENTICATOR: { providers: authenticators, description: 'Steps of flows that users go through.' },
  CLIENT: { providers: clientAuthenticators, description: 'Steps of flows by which clients prove who they are.' },
  FORM: { providers: formProviders, description: 'Pages that form flows have.' },
  FORM_ACTION: { providers: formActions, description: 'Steps of form flows.' },
} as const;
type Kind = keyof typeof kinds;

const ProviderKind = builder.enumType('AuthenticationProviderKind', {
  description: 'Where in flows providers are used.',
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
  description: 'What a setting of an authenticator holds.',
  values: {
    TEXT: { description: 'A line of text.' },
    LONG_TEXT: { description: 'Lines of text.' },
    TEXTS: { description: 'Several texts, with ## between them.' },
    CHOICE: { description: 'One of its options.' },
    ROLE: { description: 'Name of a role; that of a client as clientId.role.' },
    FLAG: { description: 'true or false.' },
  },
});

const Setting = builder.objectRef<ProviderSetting>('AuthenticatorSettingDescription').implement({
  description: 'A setting that configurations of an authenticator can have.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Its name in configurations.' }),
    label: t.exposeString('label', { description: 'What forms call it.' }),
    helpText: t.exposeString('helpText', { description: 'What it is for.' }),
    kind: t.field({
      type: SettingKind,
      description: 'What it holds.',
      resolve: ({ type }) => settingTypes[type] as 'TEXT',
    }),
    defaultValue: t.string({
      nullable: true,
      description: 'What counts where it is not set.',
      resolve: ({ defaultValue }) => defaultValue ?? null,
    }),
    options: t.stringList({ description: 'Values of a choice.', resolve: ({ options }) => [...(options ?? [])] }),
  }),
});

export const AuthenticationProvider = builder
  .objectRef<AuthenticatorProvider & { kind: Kind }>('AuthenticationProvider')
  .implement({
    description: 'Something that a step of a flow can be.',
    fields: (t) => ({
      providerId: t.exposeString('id', { description: 'Its name in steps.' }),
      kind: t.field({ type: ProviderKind, description: 'Where it is used.', resolve: ({ kind }) => kind }),
      displayName: t.exposeString('displayName', { description: 'Its name for people.' }),
      description: t.exposeString('description', { description: 'What it does.' }),
      requirementChoices: t.field({
        type: [ExecutionRequirement],
        description: 'The requirements that a step of it can have.',
        resolve: ({ requirementChoices }): Requirement[] => [...requirementChoices],
      }),
      settings: t.field({
        type: [Setting],
        description: 'What a configuration of such a step can say; empty where there is nothing to set.',
        resolve: ({ id }) => [...settingsOf(id)],
      }),
    }),
  });

const every = (Object.keys(kinds) as Kind[]).flatMap((kind) =>
  kinds[kind].providers.map((provider) => ({ ...provider, kind })),
);
const byId = new Map(every.map((provider) => [provider.id, provider]));

/** The provider of this id as its type shows it, or null for one that this server does not have. */
export const shownProvider = (id: string | null) => byId.get(id ?? '') ?? null;

builder.prismaObjectField(Realm, 'authenticationProviders', (t) =>
  t.field({
    type: [AuthenticationProvider],
    nullable: true,
    description: 'What steps of flows can be. Takes view-realm.',
    args: { kind: t.arg({ type: ProviderKind, description: 'Only those that are used there.' }) },
    resolve: async ({ id }, { kind }, ctx) => {
      (await permitById(ctx, id)).require('view:realm');
      return every.filter((provider) => kind == null || provider.kind === kind);
    },
  }),
);
