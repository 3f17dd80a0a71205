import { matches } from '../core/pattern.js';
import { firstValueAt, textsOfClaim } from './claims.js';
import type { BrokeredIdentity } from './identity.js';
import type { BrokerProvider } from './provider.js';
import { UpstreamFailure } from './provider-context.js';
import { isOn } from './provider-settings.js';

/**
 * Lets in only accounts with a claim of which one value matches a regular expression, if the provider says so (`filteredByClaim`,
 * `claimFilterName`, `claimFilterValue`, as in Keycloak 26). Throws `UpstreamFailure` for others, and for an expression that cannot be read.
 */
export function requireClaim({ settings }: BrokerProvider, { claims }: BrokeredIdentity): void {
  if (!isOn(settings.filteredByClaim)) return;
  const { claimFilterName: name = '', claimFilterValue: pattern = '' } = settings;
  const values = name === '' ? [] : textsOfClaim(firstValueAt(claims, name));
  if (!values.some((value) => matches(pattern, value) === true))
    throw new UpstreamFailure('the account lacks the claim by which the provider is filtered');
}
