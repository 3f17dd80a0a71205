import type { Db } from '../../database/db.js';
import { type RealmRecord, userStorage } from '../core/realm.js';
import { keyProviderType } from '../keys/provider.js';
import { registrationPolicyType } from '../realms/defaults/components.js';
import { type Config, storageMapper } from '../user-storage/config.js';
import { checkMapper } from '../user-storage/mapper-settings.js';
import { checkStorage } from '../user-storage/settings.js';
import { checkedKeys, checkedPolicy } from './key-settings.js';

/** A component that is to be stored. */
interface Checked {
  providerType: string;
  providerId: string;
  parentId: string;
  config: Config;
}

type Check = (component: Checked, tx: Db, realm: RealmRecord) => Config | Promise<Config>;

/** By type of provider: returns the settings with their defaults. Throws `invalid` for settings that it cannot work with. */
const checks = new Map<string, Check>([
  [keyProviderType, ({ providerId, config }) => checkedKeys(providerId, config)],
  [registrationPolicyType, ({ providerId, config }) => checkedPolicy(providerId, config)],
  [userStorage, ({ providerId, config }) => checkStorage(providerId, config)],
  [storageMapper, (mapper, tx, realm) => checkMapper(tx, realm, mapper)],
]);

/** The settings of a component with their defaults. Throws `invalid` for settings that it cannot work with. */
export const checked = (tx: Db, realm: RealmRecord, component: Checked) =>
  checks.get(component.providerType)?.(component, tx, realm) ?? component.config;
