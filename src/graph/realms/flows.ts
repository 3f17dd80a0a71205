import type { FlowBinding } from '../../services/realms/defaults/settings.js';
import { builder } from '../core/builder.js';

interface FlowPurpose {
  /** name of the field */
  name: string;
  /** name in RealmRepresentation */
  wire: FlowBinding;
  description: string;
}

/** The purposes that a realm uses authentication flows for. */
export const flowPurposes: readonly FlowPurpose[] = [
  { name: 'browser', wire: 'browserFlow', description: 'Flow for logins in the browser.' },
  { name: 'registration', wire: 'registrationFlow', description: 'Flow for user registration.' },
  {
    name: 'directGrant',
    wire: 'directGrantFlow',
    description: 'Flow for the password credentials grant (direct access grant).',
  },
  {
    name: 'resetCredentials',
    wire: 'resetCredentialsFlow',
    description: 'Flow for resetting a password.',
  },
  { name: 'clientAuthentication', wire: 'clientAuthenticationFlow', description: 'Flow for client authentication.' },
  { name: 'dockerAuthentication', wire: 'dockerAuthenticationFlow', description: 'Flow for Docker clients.' },
];

/** The input that changes the flows of a realm by their purposes. */
export const RealmFlowsInput = builder.inputType('RealmFlowsInput', {
  description: 'Authentication flows and the purposes they are used for. Omitted fields keep their values.',
  fields: (t) =>
    Object.fromEntries(
      flowPurposes.map(({ name, description }) => [
        name,
        t.id({ description: `ID of the ${description.charAt(0).toLowerCase()}${description.slice(1)}` }),
      ]),
    ),
});
