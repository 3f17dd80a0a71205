import { realm } from '../world.js';
import { here, type Id, type Recipes, twice } from './recipe.js';

const clients = (id: Id, ...given: object[]) => ({ ...here(id), clients: given });
const shop = (id: Id) => ({ client: id('Client shop') });
const administering = (id: Id) => id(`Client of master ${realm}-realm`);

/** How the codes of mutations of clients, client scopes and authorization services are provoked. */
export const clientRecipes: Recipes = {
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
  protocolMapperCreate: { NAME_TAKEN: (id) => ({ owner: id('ClientScope one'), name: 'mapper', type: 'FULL_NAME' }) },
  protocolMappersCreate: {
    NAME_TAKEN: (id) => ({ owner: id('ClientScope one'), protocolMappers: [{ name: 'mapper', type: 'FULL_NAME' }] }),
  },
};
