import { abilitiesOf } from '../core/ability.js';
import { createConfig, removeConfig, updateConfig } from './configs.js';
import { copy } from './copy.js';
import { removeExecution, updateExecution } from './execution-changes.js';
import { addExecution, addSubflow } from './executions.js';
import { remove, update } from './flows.js';
import { removeRequiredAction, updateRequiredAction } from './required-actions.js';

const ofBuiltIn = { BUILT_IN: ({ builtIn }: { builtIn: boolean }) => builtIn };

/** The possible actions on an authentication flow. */
export const flowAbilities = abilitiesOf<{ builtIn: boolean }>()({
  reads: { builtIn: true },
  target: () => ({}),
  of: {
    update: { operation: update },
    delete: { operation: remove, bars: ofBuiltIn },
    copy: { operation: copy },
    createFlowExecution: { operation: addExecution, bars: ofBuiltIn },
    createSubflow: { operation: addSubflow },
  },
});

/** The possible actions on an execution of a flow. */
export const executionAbilities = abilitiesOf<{ flow: { builtIn: boolean } }>()({
  reads: { flow: { select: { builtIn: true } } },
  target: () => ({}),
  of: {
    update: { operation: updateExecution },
    delete: { operation: removeExecution, bars: { BUILT_IN: ({ flow }) => flow.builtIn } },
    createAuthenticatorConfig: { operation: createConfig },
  },
});

/** The possible actions on the settings of an authenticator. */
export const configAbilities = abilitiesOf<object>()({
  reads: {},
  target: () => ({}),
  of: { update: { operation: updateConfig }, delete: { operation: removeConfig } },
});

/** The possible actions on a required action. */
export const requiredActionAbilities = abilitiesOf<object>()({
  reads: {},
  target: () => ({}),
  of: { update: { operation: updateRequiredAction }, delete: { operation: removeRequiredAction } },
});
