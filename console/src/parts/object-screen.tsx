import { IconTrash } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Loaded } from '../session/graphql.js';
import { Screen } from '../shell/screen.js';
import { useText } from '../text/text.js';
import { NotFound } from './empty.js';
import { type Act, ReviewButton } from './review.js';
import { partTexts } from './text.js';

interface ObjectScreenProps<Node extends object> {
  /** the name of the object, or its kind while it is not loaded */
  title: string;
  loaded: Loaded<unknown>;
  object: Node | null | undefined;
  /** buttons beside the title */
  actions?: ReactNode;
  remove?: { isAllowed: boolean | undefined; hint?: string; act: Act } | undefined;
  children(object: Node): ReactNode;
}

/** The screen of one object, which can be deleted after a preview. The list above it is opened then. */
export function ObjectScreen<Node extends object>(props: ObjectScreenProps<Node>) {
  const { title, loaded, object, actions, remove, children } = props;
  const t = useText(partTexts);
  const navigate = useNavigate();
  const removal = remove?.isAllowed && (
    <ReviewButton
      title={t('deleteNamed', { name: title })}
      button={{ label: t('delete'), 'aria-label': t('delete'), leftSection: <IconTrash size={16} aria-hidden /> }}
      hint={remove.hint}
      act={remove.act}
      done={t('deleted', { name: title })}
      isDangerous
      onDone={() => navigate({ to: '..' })}
    />
  );
  return (
    <Screen
      title={title}
      loaded={loaded}
      actions={
        <>
          {actions}
          {removal}
        </>
      }
    >
      {() => (object ? children(object) : <NotFound />)}
    </Screen>
  );
}
