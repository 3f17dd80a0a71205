import Bowser from 'bowser';

/** What the browser of a session is, as the account API of the contract names it. */
export interface Device {
  browser: string;
  os: string;
  osVersion: string;
  device: string;
  mobile: boolean;
}

const longest = 512;

/** The note of a session that has the header `User-Agent` of its login. */
export const userAgentNote = 'USER_AGENT';

/** The header as it is kept. */
export const keptUserAgent = (header: string | undefined): string | undefined => header?.slice(0, longest) || undefined;

const unknown: Device = {
  browser: 'Other/Unknown',
  os: 'Other',
  osVersion: 'Unknown',
  device: 'Other',
  mobile: false,
};

const named = (value: string | undefined, fallback: string): string => value || fallback;

/** The device that a header `User-Agent` tells of. It is what its sender says, and proves nothing. */
export function deviceOf(userAgent: unknown): Device {
  if (typeof userAgent !== 'string' || userAgent === '') return unknown;
  const { browser, os, platform } = Bowser.parse(userAgent);
  const kind = platform.type;
  return {
    browser: `${named(browser.name, 'Other')}/${named(browser.version, 'Unknown')}`,
    os: named(os.name, unknown.os),
    osVersion: named(os.versionName ?? os.version, unknown.osVersion),
    device: named(platform.model ?? platform.vendor, unknown.device),
    mobile: kind === 'mobile' || kind === 'tablet',
  };
}
