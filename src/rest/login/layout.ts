import type { Answer } from '../../http/answer.js';
import { members } from '../../services/core/json.js';
import { type DocumentOptions, type PageFrame, pageDocument } from '../../services/login/pages/document.js';
import type { Markup } from '../../services/login/pages/html.js';
import type * as parts from '../../services/login/pages/parts.js';

/** What all pages of a realm have in common. */
export interface Frame extends PageFrame {
  /** the realm's settings for headers of pages */
  securityHeaders: unknown;
  isSecure: boolean;
}

/** The page as it is shown, with what its headers are made of. */
export type Shown = parts.Shown<Frame>;

const headerNames: Record<string, string> = {
  contentSecurityPolicyReportOnly: 'content-security-policy-report-only',
  xContentTypeOptions: 'x-content-type-options',
  xRobotsTag: 'x-robots-tag',
  xFrameOptions: 'x-frame-options',
  xXSSProtection: 'x-xss-protection',
  strictTransportSecurity: 'strict-transport-security',
};

const isHeaderText = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && /^[\x20-\x7e]+$/.test(value);

/** The headers of a page: ours, with those that the realm has set. Of two policies a browser keeps both. */
function headersOf({ securityHeaders, isSecure }: Frame, own: string, hasFrames: boolean): Record<string, string> {
  const set = members(securityHeaders);
  const headers: Record<string, string> = {
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'SAMEORIGIN',
    'referrer-policy': 'no-referrer',
  };
  for (const [name, header] of Object.entries(headerNames)) {
    const value = set[name];
    if (isHeaderText(value) && (isSecure || name !== 'strictTransportSecurity')) headers[header] = value;
  }
  const ofRealm = set.contentSecurityPolicy;
  const ofPages = isHeaderText(ofRealm) ? ofRealm.replaceAll(',', ' ') : "frame-ancestors 'self'";
  // the policy of a page with frames says which: that of the realm does not know them
  const framing = hasFrames ? ofPages.replace(/(^|;)\s*(frame|child|default)-src[^;]*/gi, '') : ofPages;
  headers['content-security-policy'] = `${own}, ${framing}`;
  return headers;
}

/** A page of a realm. */
export function page(frame: Frame, title: string, body: Markup, status = 200, options: DocumentOptions = {}): Answer {
  const { text, policy } = pageDocument(frame, title, body, options);
  return {
    status,
    headers: headersOf(frame, policy, options.frames !== undefined),
    body: text,
    type: 'text/html;charset=utf-8',
  };
}
