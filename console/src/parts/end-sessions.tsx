import { type MutationName, mutate } from '../session/graphql.js';
import { useText } from '../text/text.js';
import { type DialogButtonProps, ReviewButton } from './dialogs.js';
import { texts } from './texts.js';

interface EndSessionsProps extends DialogButtonProps {
  /** ends one session, or all of a user */
  mutation: Extract<MutationName, 'userSessionEnd' | 'userLogout'>;
  /** the ID of the session or user */
  id: string;
  title: string;
  onDone(): void;
}

/** A button that ends sessions, after a question. */
export function EndSessions({ mutation, id, title, onDone, ...button }: EndSessionsProps) {
  const t = useText(texts);
  return (
    <ReviewButton
      title={title}
      button={button}
      hint={t('endHint')}
      act={(options) => mutate(mutation, { id }, options)}
      done={t('ended')}
      isDangerous
      onDone={onDone}
    />
  );
}
