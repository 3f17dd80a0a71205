import type { Element as Written } from '../../core/xml.js';
import { attributeIn, childNamed, childrenNamed, SamlFault, textOf } from '../../saml/document.js';
import { secondsOf } from '../../saml/envelope.js';
import { unspecifiedContext } from '../../saml/names.js';
import type { BrokerProvider } from '../provider.js';

type Settings = BrokerProvider['settings'];

/** The contexts of authentication that a provider is asked for (SAML 2.0 core, section 3.3.2.2.1). */
export interface WantedContexts {
  comparison: string;
  /** a request has one kind of them */
  kind: 'AuthnContextClassRef' | 'AuthnContextDeclRef';
  names: readonly string[];
}

/** The contexts that the settings ask for; undefined if they leave it to the provider. */
export function wantedContexts(settings: Settings): WantedContexts | undefined {
  const classes = listIn(settings.authnContextClassRefs);
  const names = classes.length > 0 ? classes : listIn(settings.authnContextDeclRefs);
  if (names.length === 0) return undefined;
  return {
    comparison: settings.authnContextComparisonType?.trim().toLowerCase() || 'exact',
    kind: classes.length > 0 ? 'AuthnContextClassRef' : 'AuthnContextDeclRef',
    names,
  };
}

/** The content of `RequestedAuthnContext`. */
export const contextElement = ({ comparison, kind, names }: WantedContexts): Written => ({
  '@Comparison': comparison,
  [`saml:${kind}`]: [...names],
});

/** The texts of a setting that is a JSON list. */
function listIn(setting: string | undefined): string[] {
  try {
    const list: unknown = JSON.parse(setting?.trim() || '[]');
    return Array.isArray(list) ? list.filter((one) => typeof one === 'string' && one !== '') : [];
  } catch {
    return [];
  }
}

/** A login at the provider, as an assertion states it. */
export interface StatedLogin {
  /** session at the provider */
  sessionId: string | undefined;
  /** seconds since 1970 at which that session ends; undefined for no end */
  until: number | undefined;
}

/** The demands on a login at the provider. Times are in seconds since 1970. */
export interface WantedLogin {
  contexts: WantedContexts | undefined;
  /** since when the user has to have logged in; undefined if a login from before is enough */
  since: number | undefined;
  now: number;
  skew: number;
}

/**
 * The login that an assertion states, which has to meet the demands of the request (SAML 2.0 core, sections 2.7.2 and 3.3.2.2.1). An
 * assertion without such a statement is none of a login. Throws `SamlFault`.
 */
export function statedLogin(assertion: Element, { contexts, since, now, skew }: WantedLogin): StatedLogin {
  const [statement] = childrenNamed(assertion, 'assertion', 'AuthnStatement');
  if (!statement) throw new SamlFault('no_login');
  const end = attributeIn(statement, 'SessionNotOnOrAfter');
  const until = end === undefined ? undefined : (secondsOf(end) ?? 0);
  if (until !== undefined && until <= now - skew) throw new SamlFault('expired');
  const at = secondsOf(attributeIn(statement, 'AuthnInstant'));
  if (since !== undefined && (at === undefined || at < since - skew)) throw new SamlFault('old_login');
  if (contexts) requireContext(statement, contexts);
  return { sessionId: attributeIn(statement, 'SessionIndex'), until };
}

function requireContext(statement: Element, { comparison, kind, names }: WantedContexts): void {
  const context = childNamed(statement, 'assertion', 'AuthnContext');
  const stated = context && childNamed(context, 'assertion', kind);
  if (!isMet(comparison, stated && textOf(stated), names)) throw new SamlFault('authn_context');
}

/**
 * Whether a context meets a demand. Only the provider knows which of two contexts is the stronger one: the comparisons `minimum` and
 * `better` refuse a context that says nothing, and `better` also those that were named.
 */
function isMet(comparison: string, stated: string | undefined, names: readonly string[]): boolean {
  const isNamed = stated !== undefined && names.includes(stated);
  const isStated = stated !== undefined && stated !== unspecifiedContext;
  if (comparison === 'maximum') return true;
  if (comparison === 'minimum') return isNamed || isStated;
  return comparison === 'better' ? isStated && !isNamed : isNamed;
}
