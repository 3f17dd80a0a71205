import Bowser from 'bowser';
import { members } from '../core/json.js';

/** The browser of a session, with the field names of the contract's account API. */
export interface Device {
  browser: string;
  os: string;
  osVersion: string;
  device: string;
  mobile: boolean;
}

/** Maximum characters of the header that are parsed. */
const longest = 512;

/** The session note with the device of its login. */
export const deviceNote = 'DEVICE';

const unknown: Device = {
  browser: 'Other/Unknown',
  os: 'Other',
  osVersion: 'Unknown',
  device: 'Other',
  mobile: false,
};

const named = (value: string | undefined, fallback: string): string => value || fallback;

/**
 * The device in a `User-Agent` header; undefined without one. The header is chosen by its sender and proves nothing. It
 * is parsed at the login, because a user has many sessions and each header takes up to a millisecond.
 */
export function deviceOf(userAgent: string | undefined): Device | undefined {
  if (!userAgent) return undefined;
  const { browser, os, platform } = Bowser.parse(userAgent.slice(0, longest));
  const kind = platform.type;
  return {
    browser: `${named(browser.name, 'Other')}/${named(browser.version, 'Unknown')}`,
    os: named(os.name, unknown.os),
    osVersion: named(os.versionName ?? os.version, unknown.osVersion),
    device: named(platform.model ?? platform.vendor, unknown.device),
    mobile: kind === 'mobile' || kind === 'tablet',
  };
}

/** The device in the notes of a session. */
export function deviceInNotes(notes: unknown): Device {
  const kept = members(members(notes)[deviceNote]);
  const text = (name: keyof Device, fallback: string) => (typeof kept[name] === 'string' ? kept[name] : fallback);
  return {
    browser: text('browser', unknown.browser),
    os: text('os', unknown.os),
    osVersion: text('osVersion', unknown.osVersion),
    device: text('device', unknown.device),
    mobile: kept.mobile === true,
  };
}
