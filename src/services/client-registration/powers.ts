import type { ClientInput } from '../clients/representation.js';
import { members } from '../core/json.js';
import { notAllowed } from './faults.js';

/** Columns that decide how much a client may do. */
export const powerColumns = {
  enabled: true,
  serviceAccountsEnabled: true,
  directAccessGrantsEnabled: true,
  authorizationServicesEnabled: true,
  fullScopeAllowed: true,
  consentRequired: true,
  notBefore: true,
  protocol: true,
  attributes: true,
  authenticationFlowBindingOverrides: true,
} as const;

/** How much a client may do at present. */
export interface Powers {
  enabled: boolean;
  serviceAccountsEnabled: boolean;
  directAccessGrantsEnabled: boolean;
  authorizationServicesEnabled: boolean;
  fullScopeAllowed: boolean;
  consentRequired: boolean;
  notBefore: number;
  protocol: string | null;
  attributes: unknown;
  authenticationFlowBindingOverrides: unknown;
}

/** Switches that only administrators turn on, after the client was registered. */
const switches = ['enabled', 'serviceAccountsEnabled', 'authorizationServicesEnabled', 'fullScopeAllowed'] as const;

/** Attributes with which administrators restrict a client: the client cannot change them itself. */
const ofAdministrators = new Set(['access.token.lifespan', 'pkce.code.challenge.method']);
const isOfAdministrators = (name: string): boolean =>
  ofAdministrators.has(name) || /^client\.(offline\.)?session\./.test(name);

/** The first field that would extend the rights of a client; undefined if there is none. */
function excess(present: Powers, proposed: ClientInput): string | undefined {
  const turnedOn = switches.find((field) => proposed[field] === true && !present[field]);
  if (turnedOn) return turnedOn;
  if (proposed.consentRequired === false && present.consentRequired) return 'consentRequired';
  // tokens that were revoked would be good again
  if (proposed.notBefore !== undefined && proposed.notBefore < present.notBefore) return 'notBefore';
  // with another protocol it would get the client scopes of new clients
  if (proposed.protocol !== undefined && proposed.protocol !== (present.protocol ?? 'openid-connect'))
    return 'protocol';
  const flows = members(present.authenticationFlowBindingOverrides);
  const given = Object.entries(proposed.authenticationFlowBindingOverrides ?? {});
  if (given.some(([name, flow]) => flow !== (flows[name] ?? ''))) return 'authenticationFlowBindingOverrides';
  const attributes = members(present.attributes);
  const changed = Object.entries(proposed.attributes ?? {}).find(
    ([name, value]) => isOfAdministrators(name) && value !== (attributes[name] ?? ''),
  );
  return changed && `attributes.${changed[0]}`;
}

/** Refuses (403) a new client that chooses the flows of its users, unless an administrator registers it. */
export function requireNoFlows({ authenticationFlowBindingOverrides: flows = {} }: ClientInput): void {
  if (Object.values(flows).some((flow) => flow !== '')) {
    throw notAllowed('Not permitted to set authenticationFlowBindingOverrides');
  }
}

/**
 * The changes that a client requests with its registration access token. Refuses (403) an extension of its rights: a
 * disabled client stays disabled and gets no further grants, roles or flows. As at registration, the password grant is
 * left out without an error.
 */
export function withinPowers(present: Powers, proposed: ClientInput): ClientInput {
  const field = excess(present, proposed);
  if (field !== undefined) throw notAllowed(`Not permitted to change ${field}`);
  const { directAccessGrantsEnabled: direct } = proposed;
  return direct === undefined
    ? proposed
    : { ...proposed, directAccessGrantsEnabled: direct && present.directAccessGrantsEnabled };
}
