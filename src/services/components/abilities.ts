import { abilitiesOf } from '../core/ability.js';
import { keyProviderType } from '../keys/provider.js';
import { mapperSync, removeImportedUsers, sync, unlinkUsers } from '../user-storage/operations.js';
import { remove, update } from './write.js';

interface Row {
  id: string;
  providerType: string;
  providerId: string;
  parentId: string | null;
  config: unknown;
}

const ofComponent = {
  reads: { providerType: true, providerId: true, parentId: true, config: true },
  target: (component: Row) => ({ component }),
};

const takesAll = ({ providerType }: Row): boolean => providerType === keyProviderType;

/** What can be done with a component. */
export const componentAbilities = abilitiesOf<Row>()({
  ...ofComponent,
  of: {
    update: { operation: update, takesAll, input: ({ parentId }) => ({ parentId: parentId ?? undefined }) },
    delete: { operation: remove, takesAll },
  },
});

/** What can be done with a user storage besides what can be done with its component. */
export const storageAbilities = abilitiesOf<Row>()({
  ...ofComponent,
  of: {
    sync: { operation: sync },
    unlinkUsers: { operation: unlinkUsers },
    removeUsers: { operation: removeImportedUsers },
  },
});

/** What can be done with a mapper of a user storage besides what can be done with its component. */
export const storageMapperAbilities = abilitiesOf<Row>()({
  ...ofComponent,
  of: { sync: { operation: mapperSync } },
});
