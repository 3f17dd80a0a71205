import { ownMember } from '../../services/core/json.js';
import { realmSettings } from '../../services/realms/defaults/settings.js';
import { hasName } from '../core/setting-types.js';
import { wireValues } from './choices.js';
import { flowPurposes } from './flows.js';
import { type Setting, type SettingGroup, settingGroups, smtpGroup } from './settings.js';

type Values = Record<string, unknown>;
type Wire = Readonly<Record<string, unknown>>;

const largestInt = 2 ** 31 - 1;

/** The value of a field for a setting. A choice that this schema does not support is shown as null. */
function shown({ kind, wire }: Setting, value: unknown): unknown {
  if (typeof kind === 'object') {
    if ('choice' in kind) return wireValues[kind.choice].has(value as string) ? value : null;
    return ((value ?? []) as string[]).filter((item) => wireValues[kind.choices].has(item));
  }
  switch (kind) {
    case 'flag':
      return value === true || value === 'true';
    case 'text':
      return value === undefined || value === '' ? null : value;
    case 'texts':
      return value ?? [];
    case 'instant':
      return value ? new Date((value as number) * 1000) : null;
    default:
      return Math.min(Number(value ?? (realmSettings as Wire)[wire] ?? 0) || 0, largestInt);
  }
}

/** How a setting is sent. */
const sent = ({ kind }: Setting, value: unknown): unknown =>
  kind === 'instant' && value instanceof Date ? Math.floor(value.getTime() / 1000) : value;

/** The settings of a group, by their names here. */
export function readGroup({ within, settings }: SettingGroup, wire: Wire, secrets: Record<string, boolean>): Values {
  const source = (within ? (wire[within] ?? {}) : wire) as Wire;
  return Object.fromEntries(
    settings.map((setting) =>
      setting.kind === 'secret'
        ? [hasName(setting.name), secrets[setting.name] === true]
        : [setting.name, shown(setting, source[setting.wire])],
    ),
  );
}

/** Groups of an input as fields of RealmRepresentation. A group cannot be null as a whole. */
export function sendGroups(input: Values): Values {
  const wire: Values = {};
  for (const group of settingGroups) {
    const given = input[group.name] as Values | null | undefined;
    if (given === null) wire[group.name] = null;
    if (!given) continue;
    const own = sendGroup(group, given);
    if (group.within) wire[group.within] = own;
    else Object.assign(wire, own);
  }
  return wire;
}

function sendGroup({ within, settings }: SettingGroup, given: Values): Values {
  const wire: Values = {};
  for (const setting of settings) {
    const value = given[setting.name];
    if (value === undefined) continue;
    const written = sent(setting, value);
    // the usual port of a mail server is that which is not named
    const isCleared = within === 'smtpServer' && written === 0;
    wire[setting.wire] = isCleared ? null : within && written !== null ? String(written) : written;
  }
  return wire;
}

/** Settings of a mail server as the map of the contract, without null values. */
export const sentSmtp = (given: Values): Values =>
  Object.fromEntries(Object.entries(sendGroup(smtpGroup, given)).filter(([, value]) => value !== null));

const paths = new Map(
  settingGroups.flatMap(({ name, within, settings }) =>
    settings.map(
      (setting) => [within ? `${within}.${setting.wire}` : setting.wire, `${name}.${setting.name}`] as const,
    ),
  ),
);

const general: Readonly<Record<string, string>> = {
  realm: 'name',
  enabled: 'isEnabled',
  ...Object.fromEntries(flowPurposes.map(({ name, wire }) => [wire, `flows.${name}`])),
};

/** Path of an input field here, for one of RealmRepresentation. */
export const settingPath = (wire: string): string => paths.get(wire) ?? ownMember(general, wire) ?? wire;
