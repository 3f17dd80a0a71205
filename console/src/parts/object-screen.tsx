import { Button } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { Loaded } from '../session/graphql.js';
import { Screen } from '../shell/screen.js';
import { useText } from '../text/text.js';
import { formTexts } from './form-text.js';
import { NotFound } from './not-found.js';
import { type Act, Review } from './review.js';

interface ObjectScreenProps<Node extends object> {
  /** the name of the object, or its kind while it is not loaded */
  title: string;
  loaded: Loaded<unknown>;
  object: Node | undefined;
  /** buttons beside the title */
  actions?: ReactNode;
  remove?: { isAllowed: boolean | undefined; hint?: string; act: Act };
  children(object: Node): ReactNode;
}

/** The screen of one object, which can be deleted after a preview. The list above it is opened then. */
export function ObjectScreen<Node extends object>(props: ObjectScreenProps<Node>) {
  const { title, loaded, object, actions, remove, children } = props;
  const t = useText(formTexts);
  const navigate = useNavigate();
  const [isRemoving, setRemoving] = useState(false);
  return (
    <Screen
      title={title}
      loaded={loaded}
      actions={
        <>
          {actions}
          {remove?.isAllowed && (
            <Button
              variant="default"
              leftSection={<IconTrash size={16} aria-hidden />}
              onClick={() => setRemoving(true)}
            >
              {t('delete')}
            </Button>
          )}
        </>
      }
    >
      {() =>
        object ? (
          <>
            {children(object)}
            {remove && isRemoving && (
              <Review
                title={t('remove', { name: title })}
                hint={remove.hint}
                act={remove.act}
                done={t('removed', { name: title })}
                isDangerous
                onDone={() => navigate({ to: '..' })}
                onClose={() => setRemoving(false)}
              />
            )}
          </>
        ) : (
          <NotFound />
        )
      }
    </Screen>
  );
}
