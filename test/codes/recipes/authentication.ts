import { tooLong } from '../world.js';
import { here, type Recipes } from './recipe.js';

/** How the codes of mutations of flows, required actions and identity providers are provoked. */
export const authenticationRecipes: Recipes = {
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
  flowExecutionCreate: {
    BUILT_IN: (id) => ({ authenticationFlow: id('AuthenticationFlow browser'), provider: 'auth-cookie' }),
    LIMIT_REACHED: (id) => ({ authenticationFlow: id('AuthenticationFlow full'), provider: 'auth-cookie' }),
  },
  flowExecutionDelete: { BUILT_IN: (id) => ({ id: id('FlowExecution built in') }) },
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
  requiredActionCreate: { NAME_TAKEN: (id) => ({ ...here(id), providerId: 'VERIFY_EMAIL' }) },
  requiredActionUpdate: { NAME_TAKEN: (id) => ({ id: id('RequiredAction'), alias: 'VERIFY_EMAIL' }) },
};
