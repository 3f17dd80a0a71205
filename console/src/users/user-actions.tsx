import { useParams } from '@tanstack/react-router';
import { FormButton } from '../parts/dialogs.js';
import { addressPrefix } from '../session/address-prefix.js';
import { mutate, type Outcome } from '../session/graphql.js';
import { send } from '../session/send.js';
import { home } from '../session/sign-in.js';
import { useText } from '../text/text.js';
import { texts } from './texts.js';
import type { UserPart } from './user-tabs.js';

/** An action that a user can be asked for, with its name. */
interface ActionChoice {
  value: string;
  label: string;
}

/** Sends a user an email with actions, such as a new password, and signs in as the user. */
export function UserActions({ node: user, actions }: UserPart & { actions: ActionChoice[] }) {
  const t = useText(texts);
  const { realm } = useParams({ from: '/$realm' });
  const { id, uuid, username: name, viewerCan } = user;
  return (
    <>
      {viewerCan.sendActionsEmail.isAllowed && (
        <FormButton
          title={t('sendEmail')}
          hint={t('sendEmailHint', { email: user.email ?? name })}
          fields={[
            { path: 'actions', label: texts.requiredActions, kind: 'choices', choices: actions, isRequired: true },
          ]}
          start={{ actions: ['UPDATE_PASSWORD'] }}
          submit={({ actions: chosen }) =>
            mutate('userSendActionsEmail', { id, actions: Array.isArray(chosen) ? chosen.map(String) : [] })
          }
          done={() => t('emailSent', { email: user.email ?? name })}
        />
      )}
      {viewerCan.impersonate.isAllowed && (
        <FormButton
          title={t('impersonate')}
          hint={t(realm === home ? 'impersonateHere' : 'impersonateHint', { name })}
          submit={() => impersonate(realm, uuid)}
          done={() => t('impersonated', { name })}
        />
      )}
    </>
  );
}

/**
 * Signs the browser in as a user and opens the user's account page. Only the REST API does this: the answer of GraphQL has no cookies.
 */
async function impersonate(realm: string, uuid: string): Promise<Outcome<object>> {
  // opened before anything is awaited: browsers allow a window only for a click
  const opened = window.open('', '_blank');
  const path = `realms/${encodeURIComponent(realm)}`;
  const response = await send(`${addressPrefix}/admin/${path}/users/${uuid}/impersonation`, { method: 'POST' });
  if (response.ok) {
    opened?.location.replace(`${addressPrefix}/${path}/account`);
    return { data: {}, errors: [] };
  }
  opened?.close();
  const { errorMessage, error }: { errorMessage?: string; error?: string } = await response.json();
  const message = errorMessage ?? error ?? `HTTP ${response.status}`;
  return { data: undefined, errors: [{ code: 'REFUSED', message, path: null }] };
}
