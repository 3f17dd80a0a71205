import { abilitiesOf } from '../core/ability.js';
import { createResource, removeResource, updateResource } from './resources.js';
import { createScope, removeScope, updateScope } from './scopes.js';
import { importSettings, updateServer } from './server.js';
import { createTypedPolicy, removePolicy, updatePolicy } from './write-policy.js';

interface Row {
  resourceServerId: string;
}

const ofServer = {
  reads: { resourceServerId: true },
  // a resource server has the ID of its client
  target: ({ resourceServerId }: Row) => ({ client: { id: resourceServerId } }),
};

/** The possible actions on a resource of authorization services. */
export const resourceAbilities = abilitiesOf<Row>()({
  ...ofServer,
  of: { update: { operation: updateResource }, delete: { operation: removeResource } },
});

/** The possible actions on a scope of authorization services. */
export const scopeAbilities = abilitiesOf<Row>()({
  ...ofServer,
  of: { update: { operation: updateScope }, delete: { operation: removeScope } },
});

/** The possible actions on the authorization services of a client. */
export const serverAbilities = abilitiesOf<{ id: string }>()({
  reads: {},
  // a resource server has the ID of its client
  target: ({ id }) => ({ client: { id } }),
  of: {
    update: { operation: updateServer },
    import: { operation: importSettings },
    createAuthorizationResource: { operation: createResource },
    createAuthorizationScope: { operation: createScope },
    createAuthorizationPolicy: { operation: createTypedPolicy },
  },
});

const ofUsers = { USER_MANAGED: ({ type }: { type: string }) => type === 'uma' };

/** The possible actions on a policy or permission of authorization services. */
export const policyAbilities = abilitiesOf<Row & { type: string }>()({
  reads: { ...ofServer.reads, type: true },
  target: ofServer.target,
  of: {
    update: { operation: updatePolicy, bars: ofUsers },
    delete: { operation: removePolicy, bars: ofUsers },
  },
});
