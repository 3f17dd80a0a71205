import type { Db } from '../../database/db.js';
import { keyProviderType } from '../keys/provider.js';
import { registrationPolicyType } from '../realms/defaults/components.js';
import { type RealmRecord, userStorage } from '../realms/record.js';
import { type Config, storageMapper } from '../user-storage/config.js';
import { checkMapper, checkStorage } from '../user-storage/settings.js';
import { checkedKeys, checkedPolicy } from './key-settings.js';

type Check = (tx: Db, realm: RealmRecord, providerId: string, config: Config) => Config | Promise<Config>;

/** By type of provider: returns the settings with their defaults. Throws `invalid` for settings that it cannot work with. */
const checks = new Map<string, Check>([
  [keyProviderType, (_tx, _realm, providerId, config) => checkedKeys(providerId, config)],
  [registrationPolicyType, (_tx, _realm, providerId, config) => checkedPolicy(providerId, config)],
  [userStorage, (_tx, _realm, providerId, config) => checkStorage(providerId, config)],
  [storageMapper, checkMapper],
]);

/** The settings of a component with their defaults. Throws `invalid` for settings that it cannot work with. */
export const checked = (
  tx: Db,
  realm: RealmRecord,
  { providerType, providerId }: { providerType: string; providerId: string },
  config: Config,
) => checks.get(providerType)?.(tx, realm, providerId, config) ?? config;
