import { useDisclosure } from '@mantine/hooks';
import { Suspense } from 'react';
import { lazyPart } from '../text/lazy.js';

const CreateRealm = lazyPart(() => import('../realm/create-realm.js'), 'CreateRealm');

/** Opens the dialog that creates a realm, and the place of that dialog. It is loaded when it is opened. */
export function useRealmCreation() {
  const [isOpen, { open, close }] = useDisclosure();
  return { open, dialog: <Suspense>{isOpen && <CreateRealm onClose={close} />}</Suspense> };
}
