import { requireWhole } from '../core/entitlement.js';
import { adminTools } from '../core/held-rights.js';
import { ownMember } from '../core/json.js';
import type { Permit } from '../core/ports.js';
import type { Target } from '../core/target.js';
import { isSameMappers } from './assemble.js';
import type { ClientInput } from './representation.js';
import type { FullClient } from './store.js';

/**
 * Refuses to give a client the name of one that administration hangs on, to callers who may not do everything in the realm:
 * such a client may have been deleted before.
 */
export function requireOrdinaryName(permit: Permit, target: Target, clientId: string | undefined): void {
  if (clientId === 'realm-management' || adminTools.includes(clientId ?? '')) requireWhole(target, permit);
}

/**
 * Whether an input changes which roles the tokens of a client may have, or how users log in to it. This requires the right
 * to manage the client; the right to configure it is not enough.
 */
export function decidesOnTokens(client: FullClient, input: ClientInput): boolean {
  const {
    fullScopeAllowed = client.fullScopeAllowed,
    protocol = client.protocol,
    protocolMappers,
    authenticationFlowBindingOverrides = {},
  } = input;
  const overrides = client.authenticationFlowBindingOverrides as Readonly<Record<string, string>>;
  return (
    fullScopeAllowed !== client.fullScopeAllowed ||
    // with another protocol it gets the client scopes of new clients
    protocol !== client.protocol ||
    (protocolMappers !== undefined && !isSameMappers(protocolMappers, client.protocolMappers)) ||
    Object.entries(authenticationFlowBindingOverrides).some(([use, flow]) => flow !== (ownMember(overrides, use) ?? ''))
  );
}
