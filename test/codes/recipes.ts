import type { RefusalCode } from '../../src/services/core/refusal-codes.js';
import { longName, realm, tooLong } from './world.js';

type Id = (name: string) => string;
/** The input that provokes a code. */
type Recipe = (id: Id) => object;

const here = (id: Id) => ({ realm: id(`Realm ${realm}`) });
const users = (id: Id, ...given: object[]) => ({ ...here(id), users: given });
const groups = (id: Id, ...given: object[]) => ({ ...here(id), groups: given });
const roles = (id: Id, ...given: object[]) => ({ ...here(id), roles: given });
const clients = (id: Id, ...given: object[]) => ({ ...here(id), clients: given });
const twice = (id: Id, name: string) => [id(name), id(name)];
const shop = (id: Id) => ({ client: id('Client shop') });
const administering = (id: Id) => id(`Client of master ${realm}-realm`);
const json = (value: object) => ({ json: value });
const desired = (id: Id, file: object) => ({ id: id(`Realm ${realm}`), desired: json(file) });
/** A flow that contains itself. */
const circle = {
  authenticationFlows: [
    {
      alias: 'ring',
      authenticationExecutions: [{ flowAlias: 'ring', autheticatorFlow: true, requirement: 'REQUIRED' }],
    },
  ],
};
/** Two policies of a client that apply each other. */
const policyCircle = {
  clients: [
    {
      clientId: 'judge',
      serviceAccountsEnabled: true,
      authorizationServicesEnabled: true,
      authorizationSettings: {
        policies: [
          { name: 'one', type: 'aggregate', config: { applyPolicies: '["other"]' } },
          { name: 'other', type: 'aggregate', config: { applyPolicies: '["one"]' } },
        ],
      },
    },
  ],
};
const sameId = '00000000-0000-4000-8000-000000000001';
const protectedAttribute = [{ name: 'LDAP_ID', values: ['1'] }];

/** What is wrong with the profile of a user, whichever mutation writes it. */
const profiles = {
  EMAIL_INVALID: { email: 'a b@example.org' },
  EMAIL_TAKEN: { email: 'off@example.org' },
  PASSWORD_POLICY: { password: { value: 'short' } },
  READ_ONLY: { attributes: protectedAttribute },
  UNKNOWN_REQUIRED_ACTION: { requiredActions: ['NO_SUCH_ACTION'] },
  USERNAME_INVALID: { username: 'b\u200bob' },
  USERNAME_TAKEN: { username: 'off' },
} as const satisfies Partial<Record<RefusalCode, object>>;

const ofProfiles = (input: (id: Id, fault: object) => object): Record<string, Recipe> =>
  Object.fromEntries(Object.entries(profiles).map(([code, fault]) => [code, (id: Id) => input(id, fault)]));

/** How each code is provoked that a mutation declares besides those of all mutations. */
export const recipes: Readonly<Record<string, Partial<Record<RefusalCode, Recipe>>>> = {
  authenticationFlowAttachSubflow: {
    BUILT_IN: (id) => ({
      id: id('AuthenticationFlow browser'),
      subflow: id('AuthenticationFlow spare'),
      requirement: 'REQUIRED',
    }),
    CYCLE: (id) => ({
      id: id('AuthenticationFlow loose'),
      subflow: id('AuthenticationFlow loose'),
      requirement: 'REQUIRED',
    }),
    LIMIT_REACHED: (id) => ({
      id: id('AuthenticationFlow full'),
      subflow: id('AuthenticationFlow loose'),
      requirement: 'REQUIRED',
    }),
    IN_USE: (id) => ({
      id: id('AuthenticationFlow mine'),
      subflow: id('AuthenticationFlow browser'),
      requirement: 'REQUIRED',
    }),
  },
  authenticationFlowCopy: {
    NAME_INVALID: (id) => ({ id: id('AuthenticationFlow mine'), alias: 'a/b'.padEnd(300, 'x') }),
    NAME_TAKEN: (id) => ({ id: id('AuthenticationFlow mine'), alias: 'spare' }),
  },
  authenticationFlowCreate: {
    NAME_INVALID: (id) => ({ ...here(id), alias: '' }),
    NAME_TAKEN: (id) => ({ ...here(id), alias: 'mine' }),
  },
  authenticationFlowCreateSubflow: {
    LIMIT_REACHED: (id) => ({ id: id('AuthenticationFlow full'), alias: 'new' }),
    NAME_INVALID: (id) => ({ id: id('AuthenticationFlow mine'), alias: tooLong }),
    NAME_TAKEN: (id) => ({ id: id('AuthenticationFlow mine'), alias: 'spare' }),
  },
  authenticationFlowDelete: {
    BUILT_IN: (id) => ({ id: id('AuthenticationFlow browser') }),
    IN_USE: (id) => ({ id: id('AuthenticationFlow bound') }),
  },
  authenticationFlowUpdate: {
    NAME_INVALID: (id) => ({ id: id('AuthenticationFlow mine'), alias: '' }),
    NAME_TAKEN: (id) => ({ id: id('AuthenticationFlow mine'), alias: 'spare' }),
  },
  authorizationPolicyCreate: {
    NAME_TAKEN: (id) => ({
      ...shop(id),
      name: 'clerks',
      settings: { user: { users: [id('User ann')] } },
    }),
  },
  authorizationPolicyUpdate: {
    CYCLE: (id) => ({
      id: id('AggregatedAuthorizationPolicy both'),
      settings: { aggregated: { policies: [id('AggregatedAuthorizationPolicy all')] } },
    }),
    NAME_TAKEN: (id) => ({ id: id('AggregatedAuthorizationPolicy both'), name: 'clerks' }),
  },
  authorizationResourceCreate: { NAME_TAKEN: (id) => ({ ...shop(id), name: 'thing' }) },
  authorizationResourceUpdate: { NAME_TAKEN: (id) => ({ id: id('AuthorizationResource other'), name: 'thing' }) },
  authorizationScopeDelete: { IN_USE: (id) => ({ id: id('AuthorizationScope use') }) },
  authorizationScopeUpdate: { NAME_TAKEN: (id) => ({ id: id('AuthorizationScope spare'), name: 'use' }) },
  clientAddNode: { LIMIT_REACHED: (id) => ({ id: id('Client nodes'), host: 'more.example' }) },
  clientCreate: {
    NAME_TAKEN: (id) => ({ ...here(id), clientId: 'shop' }),
    SERVICE_ACCOUNT_REQUIRED: (id) => ({
      ...here(id),
      clientId: 'new',
      hasAuthorizationServices: true,
      flows: { isServiceAccountEnabled: false },
    }),
    USERNAME_TAKEN: (id) => ({ ...here(id), clientId: 'taken', flows: { isServiceAccountEnabled: true } }),
  },
  clientDelete: { ADMINISTRATION: (id) => ({ id: administering(id) }) },
  clientScopeCreate: {
    NAME_TAKEN: (id) => ({ ...here(id), name: 'one' }),
  },
  clientScopeUpdate: {
    NAME_TAKEN: (id) => ({ id: id('ClientScope one'), name: 'two' }),
  },
  clientUpdate: {
    ADMINISTRATION: (id) => ({ id: administering(id), clientId: 'renamed' }),
    NAME_TAKEN: (id) => ({ id: id('Client nodes'), clientId: 'shop' }),
    SERVICE_ACCOUNT_REQUIRED: (id) => ({ id: id('Client nodes'), hasAuthorizationServices: true }),
    USERNAME_TAKEN: (id) => ({ id: id('Client shop'), clientId: 'taken' }),
  },
  clientsDelete: {
    ADMINISTRATION: (id) => ({ realm: id('Realm master'), ids: [administering(id)] }),
    REPEATED: (id) => ({ ...here(id), ids: twice(id, 'Client nodes') }),
  },
  clientsUpdate: {
    ADMINISTRATION: (id) => ({
      realm: id('Realm master'),
      clients: [{ id: administering(id), clientId: 'renamed' }],
    }),
    NAME_TAKEN: (id) => clients(id, { id: id('Client nodes'), clientId: 'shop' }),
    REPEATED: (id) => clients(id, { id: id('Client nodes'), name: 'a' }, { id: id('Client nodes'), name: 'b' }),
    SERVICE_ACCOUNT_REQUIRED: (id) => clients(id, { id: id('Client nodes'), hasAuthorizationServices: true }),
    USERNAME_TAKEN: (id) => clients(id, { id: id('Client shop'), clientId: 'taken' }),
  },
  componentUpdate: {
    SECRET_REQUIRED: (id) => ({
      id: id('Component directory'),
      settings: [{ name: 'connectionUrl', values: ['ldap://elsewhere.example'] }],
    }),
  },
  flowExecutionCreate: {
    BUILT_IN: (id) => ({ authenticationFlow: id('AuthenticationFlow browser'), provider: 'auth-cookie' }),
    LIMIT_REACHED: (id) => ({ authenticationFlow: id('AuthenticationFlow full'), provider: 'auth-cookie' }),
  },
  flowExecutionDelete: { BUILT_IN: (id) => ({ id: id('FlowExecution built in') }) },
  groupAddMembers: { REPEATED: (id) => ({ id: id('Group free'), users: twice(id, 'User ann') }) },
  groupCreate: {
    LIMIT_REACHED: (id) => ({ parent: id('Group deepest'), name: longName }),
    NAME_INVALID: (id) => ({ parent: id(`Realm ${realm}`), name: '' }),
    NAME_TAKEN: (id) => ({ parent: id(`Realm ${realm}`), name: 'staff' }),
  },
  groupMove: {
    CYCLE: (id) => ({ id: id('Group staff'), parent: id('Group staff inner') }),
    LIMIT_REACHED: (id) => ({ id: id(`Group ${longName}n`), parent: id('Group deepest') }),
    NAME_TAKEN: (id) => ({ id: id('Group staff inner'), parent: id('Group other') }),
  },
  groupRemoveMembers: { REPEATED: (id) => ({ id: id('Group free'), users: twice(id, 'User ann') }) },
  groupUpdate: {
    LIMIT_REACHED: (id) => ({ id: id('Group leaf'), name: longName }),
    NAME_INVALID: (id) => ({ id: id('Group free'), name: '' }),
    NAME_TAKEN: (id) => ({ id: id('Group free'), name: 'staff' }),
  },
  groupsAddRoles: {
    REPEATED: (id) => ({ ...here(id), groups: twice(id, 'Group free'), roles: [id('Role clerk')] }),
  },
  groupsCreate: {
    LIMIT_REACHED: (id) => groups(id, { parent: id('Group deepest'), name: longName }),
    NAME_INVALID: (id) => groups(id, { parent: id('Group free'), name: '' }),
    NAME_TAKEN: (id) => groups(id, { parent: id('Group staff'), name: 'inner' }),
  },
  groupsDelete: { REPEATED: (id) => ({ ...here(id), ids: twice(id, 'Group free') }) },
  groupsMove: {
    CYCLE: (id) => ({ ids: [id('Group staff')], parent: id('Group staff inner') }),
    LIMIT_REACHED: (id) => ({ ids: [id(`Group ${longName}n`)], parent: id('Group deepest') }),
    NAME_TAKEN: (id) => ({ ids: [id('Group staff inner')], parent: id('Group other') }),
    REPEATED: (id) => ({ ids: twice(id, 'Group free'), parent: id('Group other') }),
  },
  groupsRemoveRoles: {
    REPEATED: (id) => ({ ...here(id), groups: twice(id, 'Group free'), roles: [id('Role clerk')] }),
  },
  groupsUpdate: {
    LIMIT_REACHED: (id) => groups(id, { id: id('Group leaf'), name: longName }),
    NAME_INVALID: (id) => groups(id, { id: id('Group free'), name: '' }),
    NAME_TAKEN: (id) => groups(id, { id: id('Group free'), name: 'staff' }),
    REPEATED: (id) => groups(id, { id: id('Group free'), name: 'a' }, { id: id('Group free'), name: 'b' }),
  },
  identityProviderCreate: {
    NAME_INVALID: (id) => ({ ...here(id), alias: 'a/b', type: 'GITHUB' }),
    NAME_TAKEN: (id) => ({ ...here(id), alias: 'partner', type: 'GITHUB' }),
  },
  identityProviderMapperCreate: {
    NAME_TAKEN: (id) => ({
      identityProvider: id('IdentityProvider partner'),
      name: 'colour',
      type: 'hardcoded-attribute-idp-mapper',
    }),
  },
  identityProviderUpdate: {
    NAME_INVALID: (id) => ({ id: id('IdentityProvider second'), alias: 'a/b' }),
    NAME_TAKEN: (id) => ({ id: id('IdentityProvider second'), alias: 'partner' }),
    SECRET_REQUIRED: (id) => ({
      id: id('IdentityProvider partner'),
      settings: [
        { name: 'tokenUrl', value: 'https://elsewhere.example/token' },
        { name: 'clientSecret', value: '**********' },
      ],
    }),
  },
  protocolMapperCreate: { NAME_TAKEN: (id) => ({ owner: id('ClientScope one'), name: 'mapper', type: 'FULL_NAME' }) },
  protocolMappersCreate: {
    NAME_TAKEN: (id) => ({ owner: id('ClientScope one'), protocolMappers: [{ name: 'mapper', type: 'FULL_NAME' }] }),
  },
  realmApply: {
    ADMINISTRATION: (id) => ({ id: id('Realm master'), desired: json({ enabled: false }) }),
    CYCLE: (id) => desired(id, circle),
    EMAIL_INVALID: (id) => desired(id, { users: [{ username: 'new', email: 'a b@example.org' }] }),
    EMAIL_TAKEN: (id) => desired(id, { users: [{ username: 'new', email: 'off@example.org' }] }),
    NAME_INVALID: (id) => ({
      ...desired(id, { identityProviders: [{ alias: 'a/b', providerId: 'oidc' }] }),
      modes: { identityProviders: 'KEEP' },
    }),
    NAME_TAKEN: (id) => {
      const role = { id: atob(id('Role clerk')).replace('Role:', ''), name: 'writer' };
      return { ...desired(id, { roles: { realm: [role] } }), modes: { roles: 'KEEP' } };
    },
    PASSWORD_POLICY: (id) => desired(id, { users: [{ username: 'new', credentials: [{ value: 'short' }] }] }),
    READ_ONLY: (id) => desired(id, { users: [{ username: 'new', attributes: { LDAP_ID: ['1'] } }] }),
    REPEATED: (id) => desired(id, { roles: { realm: [{ name: 'twin' }, { name: 'twin' }] } }),
    SECRET_REQUIRED: (id) => desired(id, { smtpServer: { host: 'elsewhere.example', from: 'from@example.org' } }),
    USERNAME_INVALID: (id) => desired(id, { users: [{ username: 'b\u200bob' }] }),
    // in letters that look the same
    USERNAME_TAKEN: (id) => desired(id, { users: [{ username: '\u0441\u043e\u0440' }] }),
  },
  realmApplyRevert: { EXPIRED: (id) => ({ id: id('RealmApply expired') }) },
  realmCreate: {
    NAME_INVALID: () => ({ name: 'a/b' }),
    NAME_TAKEN: () => ({ name: realm }),
  },
  realmDelete: { ADMINISTRATION: (id) => ({ id: id('Realm master') }) },
  realmImport: {
    CYCLE: () => ({ representation: json({ realm: 'new', ...circle }) }),
    NAME_INVALID: () => ({ representation: json({ realm: 'a/b' }) }),
    NAME_TAKEN: () => ({ representation: json({ realm }) }),
    REPEATED: () => ({
      representation: json({ realm: 'new', roles: { realm: ['a', 'b'].map((name) => ({ name, id: sameId })) } }),
    }),
  },
  realmPartialImport: {
    CYCLE: (id) => ({ id: id(`Realm ${realm}`), representation: json(policyCircle) }),
    NAME_TAKEN: (id) => ({
      id: id(`Realm ${realm}`),
      representation: json({ roles: { realm: [{ name: 'clerk' }] } }),
    }),
    REPEATED: (id) => ({
      id: id(`Realm ${realm}`),
      representation: json({ roles: { realm: [{ name: 'twin' }, { name: 'twin' }] } }),
    }),
  },
  realmRename: {
    ADMINISTRATION: (id) => ({ id: id('Realm master'), name: 'renamed' }),
    NAME_INVALID: (id) => ({ id: id(`Realm ${realm}`), name: 'a/b' }),
    NAME_TAKEN: (id) => ({ id: id(`Realm ${realm}`), name: 'master' }),
  },
  realmUpdate: {
    ADMINISTRATION: (id) => ({ id: id('Realm master'), isEnabled: false }),
    EMAIL_INVALID: (id) => ({ id: id(`Realm ${realm}`), smtp: { from: 'a b@example.org' } }),
    SECRET_REQUIRED: (id) => ({ id: id(`Realm ${realm}`), smtp: { host: 'elsewhere.example' } }),
  },
  requiredActionCreate: { NAME_TAKEN: (id) => ({ ...here(id), providerId: 'VERIFY_EMAIL' }) },
  requiredActionUpdate: { NAME_TAKEN: (id) => ({ id: id('RequiredAction'), alias: 'VERIFY_EMAIL' }) },
  roleCreate: { NAME_TAKEN: (id) => ({ container: id(`Realm ${realm}`), name: 'clerk' }) },
  roleDelete: {
    ADMINISTRATION: (id) => ({ id: id('Role of master admin') }),
    DEFAULT_ROLE: (id) => ({ id: id(`Role default-roles-${realm}`) }),
  },
  roleRemoveComposites: {
    ADMINISTRATION: (id) => ({ id: id('Role of master admin'), roles: [id('Role of master create-realm')] }),
  },
  roleUpdate: {
    ADMINISTRATION: (id) => ({ id: id('Role of master admin'), name: 'renamed' }),
    NAME_TAKEN: (id) => ({ id: id('Role clerk'), name: 'writer' }),
  },
  rolesCreate: { NAME_TAKEN: (id) => roles(id, { container: id(`Realm ${realm}`), name: 'clerk' }) },
  rolesDelete: {
    ADMINISTRATION: (id) => ({ realm: id('Realm master'), ids: [id('Role of master admin')] }),
    DEFAULT_ROLE: (id) => ({ ...here(id), ids: [id(`Role default-roles-${realm}`)] }),
    REPEATED: (id) => ({ ...here(id), ids: twice(id, 'Role clerk') }),
  },
  rolesUpdate: {
    ADMINISTRATION: (id) => ({
      realm: id('Realm master'),
      roles: [{ id: id('Role of master admin'), name: 'renamed' }],
    }),
    NAME_TAKEN: (id) => roles(id, { id: id('Role clerk'), name: 'writer' }),
    REPEATED: (id) => roles(id, { id: id('Role clerk'), name: 'a' }, { id: id('Role clerk'), name: 'b' }),
  },
  userAddFederatedIdentity: {
    IDENTITY_TAKEN: (id) => ({ id: id('User ann'), identityProviderAlias: 'partner', userId: '2' }),
  },
  userCreate: ofProfiles((id, fault) => ({ ...here(id), username: 'new', ...fault })),
  userSendActionsEmail: {
    EMAIL_MISSING: (id) => ({ id: id('User bob'), actions: ['VERIFY_EMAIL'] }),
    UNKNOWN_REQUIRED_ACTION: (id) => ({ id: id('User ann'), actions: ['NO_SUCH_ACTION'] }),
    USER_DISABLED: (id) => ({ id: id('User off'), actions: ['VERIFY_EMAIL'] }),
  },
  userSendVerifyEmail: {
    EMAIL_MISSING: (id) => ({ id: id('User bob') }),
    USER_DISABLED: (id) => ({ id: id('User off') }),
  },
  userSetPassword: { PASSWORD_POLICY: (id) => ({ id: id('User ann'), value: 'short' }) },
  userUpdate: {
    ...ofProfiles((id, fault) => ({ id: id('User ann'), ...fault })),
  },
  usersAddRoles: { REPEATED: (id) => ({ ...users(id), users: twice(id, 'User ann'), roles: [id('Role clerk')] }) },
  usersCreate: ofProfiles((id, fault) => users(id, { username: 'new', ...fault })),
  usersDelete: { REPEATED: (id) => ({ ...here(id), ids: twice(id, 'User ann') }) },
  usersDeleteMatching: { TOO_MANY: (id) => ({ ...here(id), filter: {}, limit: 1 }) },
  usersJoinGroups: { REPEATED: (id) => ({ ...users(id), users: twice(id, 'User ann'), groups: [id('Group free')] }) },
  usersLeaveGroups: { REPEATED: (id) => ({ ...users(id), users: twice(id, 'User ann'), groups: [id('Group free')] }) },
  usersRemoveRoles: { REPEATED: (id) => ({ ...users(id), users: twice(id, 'User ann'), roles: [id('Role clerk')] }) },
  usersUpdate: {
    ...ofProfiles((id, fault) => users(id, { id: id('User ann'), ...fault })),
    REPEATED: (id) => users(id, { id: id('User ann'), lastName: 'a' }, { id: id('User ann'), lastName: 'b' }),
  },
  usersUpdateMatching: {
    READ_ONLY: (id) => ({ ...here(id), filter: {}, limit: 9, changes: { setAttributes: protectedAttribute } }),
    TOO_MANY: (id) => ({ ...here(id), filter: {}, limit: 1, changes: { isEnabled: true } }),
    UNKNOWN_REQUIRED_ACTION: (id) => ({
      ...here(id),
      filter: {},
      limit: 9,
      changes: { addRequiredActions: ['NO_SUCH_ACTION'] },
    }),
  },
  webhookCreate: { LIMIT_REACHED: (id) => ({ ...here(id), name: 'more', url: 'https://hooks.example/more' }) },
};

/** Mutations whose `READ_ONLY` comes of a directory that refuses the change: tests of directories provoke it. */
export const ofDirectories: readonly string[] = [
  'groupAddMembers',
  'groupRemoveMembers',
  'userSetPassword',
  'usersAddRoles',
  'usersDelete',
  'usersDeleteMatching',
  'usersJoinGroups',
  'usersLeaveGroups',
  'usersRemoveRoles',
];
