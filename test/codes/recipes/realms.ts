import { realm } from '../world.js';
import { here, type Id, type Recipes } from './recipe.js';

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

/** How the codes of mutations of realms, their components and webhooks are provoked. */
export const realmRecipes: Recipes = {
  componentUpdate: {
    SECRET_REQUIRED: (id) => ({
      id: id('Component directory'),
      settings: [{ name: 'connectionUrl', values: ['ldap://elsewhere.example'] }],
    }),
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
  webhookCreate: { LIMIT_REACHED: (id) => ({ ...here(id), name: 'more', url: 'https://hooks.example/more' }) },
};
