import { useNavigate } from '@tanstack/react-router';
import { FormButton } from '../parts/dialogs.js';
import type { FormField } from '../parts/fields.js';
import { mutate } from '../session/graphql.js';
import { home } from '../session/sign-in.js';
import { useText } from '../text/text.js';
import type { RealmSettingsQuery } from './documents.js';
import { texts } from './texts.js';

const field: FormField = { path: 'name', label: texts.name, isRequired: true };

/** Renames and deletes a realm. Both require the same permission, and are refused for the realm master. */
export function RealmActions({
  realm: { id, viewerCan },
  name,
}: {
  realm: NonNullable<RealmSettingsQuery['realm']>;
  name: string;
}) {
  const t = useText(texts);
  const navigate = useNavigate();
  if (!viewerCan.delete.isAllowed) return null;
  return (
    <>
      <FormButton
        title={t('rename')}
        hint={t('renameHint')}
        fields={[field]}
        start={{ name }}
        submit={async (input) => {
          const next = String(input.name);
          const { data, errors } = await mutate('realmRename', { id, name: next });
          return { data: data && { next }, errors };
        }}
        done={(data) => t('renamed', { name: data?.next ?? name })}
        onDone={(data) => {
          if (!data) return;
          // who has signed in to this realm has lost the session with its name
          if (name === home) location.assign(`/console/${encodeURIComponent(data.next)}/`);
          else navigate({ to: '/$realm/settings', params: { realm: data.next } });
        }}
      />
      <FormButton
        title={t('remove')}
        hint={t('removeHint', { name })}
        fields={[field]}
        isDangerous
        submit={async ({ name: typed }) =>
          typed === name
            ? mutate('realmDelete', { id })
            : { data: undefined, errors: [{ code: '', message: t('otherName', { name }), path: ['name'] }] }
        }
        done={() => t('deleted', { name })}
        onDone={() => (name === home ? location.assign('/') : navigate({ to: '/$realm', params: { realm: home } }))}
      />
    </>
  );
}
