import { IconMoodEmpty } from '@tabler/icons-react';
import { texts } from '../shell/text.js';
import { useText } from '../text/text.js';
import { Empty } from './empty.js';

/** In place of an object that does not exist or that the caller may not view. */
export function NotFound() {
  const t = useText(texts);
  return (
    <Empty icon={IconMoodEmpty} title={t('notFound')}>
      {t('notFoundHint')}
    </Empty>
  );
}
