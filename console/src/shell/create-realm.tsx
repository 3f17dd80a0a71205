import { useDisclosure } from '@mantine/hooks';
import { lazy, Suspense } from 'react';

const CreateRealm = lazy(() =>
  import('../realm/create-realm.js').then(({ CreateRealm }) => ({ default: CreateRealm })),
);

/** Opens the dialog that creates a realm, and the place of that dialog. It is loaded when it is opened. */
export function useRealmCreation() {
  const [isOpen, { open, close }] = useDisclosure();
  return { open, dialog: <Suspense>{isOpen && <CreateRealm onClose={close} />}</Suspense> };
}
