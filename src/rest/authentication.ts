import { flowView, requiredActionView } from '../services/authentication/encode.js';
import { requiredActionByAlias } from '../services/authentication/locate.js';
import * as authentication from '../services/authentication/operations.js';
import { AuthenticationExecutionInfoRepresentation } from '../services/authentication/representation.js';
import { list } from '../services/core/shape.js';
import { json } from './answer.js';
import { all } from './paging.js';
import { below, child } from './place.js';
import { inRealm, realm } from './realm.js';
import { get, getList, put } from './table.js';

const requiredAction = child(realm, '/authentication/required-actions/{alias}', (ctx, parent, { alias = '' }) =>
  requiredActionByAlias(ctx, parent, alias),
);

export const authenticationRoutes = [
  getList(below(inRealm, '/authentication/flows'), authentication.listFlows, { full: flowView, paging: all }),
  get(below(inRealm, '/authentication/flows/{flowAlias}/executions'), authentication.executions, {
    returns: list(AuthenticationExecutionInfoRepresentation),
    input: ({ params }) => ({ alias: params.flowAlias }),
    answer: (lines) => (lines ? json(lines) : { status: 404 }),
  }),
  getList(below(inRealm, '/authentication/required-actions'), authentication.listRequiredActions, {
    full: requiredActionView,
    paging: all,
  }),
  get(requiredAction, authentication.getRequiredAction, { view: requiredActionView }),
  put(requiredAction, authentication.updateRequiredAction),
].flat();
