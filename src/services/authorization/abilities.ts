import { abilitiesOf } from '../core/ability.js';
import { removeResource, updateResource } from './resources.js';
import { removeScope, updateScope } from './scopes.js';

interface Row {
  resourceServerId: string;
}

const ofServer = {
  reads: { resourceServerId: true },
  // a resource server has the id of its client
  target: ({ resourceServerId }: Row) => ({ client: { id: resourceServerId } }),
};

/** What can be done with a resource of authorization services. */
export const resourceAbilities = abilitiesOf<Row>()({
  ...ofServer,
  of: { update: { operation: updateResource }, delete: { operation: removeResource } },
});

/** What can be done with a scope of authorization services. */
export const scopeAbilities = abilitiesOf<Row>()({
  ...ofServer,
  of: { update: { operation: updateScope }, delete: { operation: removeScope } },
});
