import { Text } from '@mantine/core';
import { Dialog } from '../parts/dialogs.js';
import { useText } from '../text/text.js';
import { texts } from './texts.js';

/** Asks whether a screen is left whose changes are not saved. */
export function LeaveDialog({ onLeave, onStay }: { onLeave(): void; onStay(): void }) {
  const t = useText(texts);
  return (
    <Dialog
      title={t('unsaved')}
      action={{ label: t('discard'), isRunning: false, isDangerous: true, run: onLeave }}
      leave={{ label: t('stay'), run: onStay }}
      onClose={onStay}
    >
      <Text>{t('unsavedHint')}</Text>
    </Dialog>
  );
}
