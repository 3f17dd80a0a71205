import { attributeIn, SamlFault } from './document.js';

/** How far the time of a message may be from that of the server, in seconds: as long as its ID is remembered at least. */
export const longestAge = 600;

/** How far clocks may differ, in seconds. */
export const allowedSkew = 60;

/**
 * Checks what all messages have in common, and returns the ID. `place` is the address that the message was sent to. Times are in
 * seconds. Throws `SamlFault`.
 */
export function checkEnvelope(
  root: Element,
  {
    place,
    namesPlace,
    now,
    skew = allowedSkew,
  }: {
    place: string;
    /** whether the message has to name its destination: otherwise a signed one for another server would count here (SAML 2.0 bindings, section 3.5.5.2) */
    namesPlace: boolean;
    now: number;
    skew?: number;
  },
): string {
  const destination = attributeIn(root, 'Destination');
  if (destination === undefined || destination === '') {
    if (namesPlace) throw new SamlFault('missing_required_destination');
  } else if (destination.replace(/\/$/, '') !== place) throw new SamlFault('invalid_destination');
  if (attributeIn(root, 'Version') !== '2.0') throw new SamlFault('version');
  const issued = secondsOf(attributeIn(root, 'IssueInstant'));
  if (issued === undefined || Math.abs(issued - now) > longestAge) throw new SamlFault('issue_instant');
  if (isOver(root, 'NotOnOrAfter', now - skew)) throw new SamlFault('expired');
  const id = attributeIn(root, 'ID') ?? '';
  if (!/^[\p{L}\p{N}_.:-]{1,255}$/u.test(id)) throw new SamlFault('id');
  return id;
}

/** Whether the time in an attribute of an element is over. One that cannot be read is. */
export function isOver(element: Element, name: 'NotOnOrAfter' | 'SessionNotOnOrAfter', now: number): boolean {
  const until = attributeIn(element, name);
  return until !== undefined && !((secondsOf(until) ?? 0) > now);
}

/** Whether an element is not valid yet. A time that cannot be read never comes. */
export function isEarly(element: Element, now: number): boolean {
  const from = attributeIn(element, 'NotBefore');
  return from !== undefined && !((secondsOf(from) ?? Number.POSITIVE_INFINITY) <= now);
}

/** A time of a message in seconds since 1970; undefined for a text that is none. Times without a zone are those of UTC. */
export function secondsOf(text: string | undefined): number | undefined {
  const [, date, zone] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?)(Z|[+-]\d\d:\d\d)?$/.exec(text ?? '') ?? [];
  if (date === undefined) return undefined;
  const milliseconds = Date.parse(`${date}${zone ?? 'Z'}`);
  return Number.isNaN(milliseconds) ? undefined : milliseconds / 1000;
}
