import type { RealmSettings } from '../../services/realms/representation.js';
import type { SettingKind as KindOf } from '../core/setting-types.js';
import type { Choice } from './choices.js';

/** How a setting of a realm looks in GraphQL. */
export type SettingKind = KindOf<Choice>;

/** Least and greatest number; from 0 by default. */
export interface Limits {
  least?: number;
  most?: number;
}

/** Name here, name on the wire, kind and description of a setting. */
export type Row = readonly [
  name: string,
  wire: keyof RealmSettings,
  kind: SettingKind,
  description: string,
  limits?: Limits,
];
/** A row for a key in a map of texts. */
export type KeyRow = readonly [name: string, key: string, kind: SettingKind, description: string, limits?: Limits];
