import { Group, Stack, Text } from '@mantine/core';
import type { Outcome } from '../session/graphql.js';
import { useFormat, useText } from '../text/text.js';
import { FormButton, ReviewButton } from './dialogs.js';
import { texts } from './texts.js';

/** The applications that got a notice, and those that did not. */
interface Pushed {
  successRequests: string[] | null;
  failedRequests: string[] | null;
}

interface RevocationProps {
  /** tokens that were issued before are invalid */
  notBefore: string | null | undefined;
  isAllowed: boolean;
  canPush: boolean;
  set(notBefore: string | null, options?: { isDryRun: boolean }): Promise<Outcome<object>>;
  /** tells the applications */
  push(): Promise<Outcome<Record<string, Pushed>>>;
  onDone(): void;
}

/** Revokes the tokens that a realm or client has issued up to now, and tells the applications. */
export function Revocation({ notBefore, isAllowed, canPush, set, push, onDone }: RevocationProps) {
  const t = useText(texts);
  const { moment } = useFormat();
  const told = (data: Record<string, Pushed> | undefined) => {
    const [{ successRequests, failedRequests } = { successRequests: null, failedRequests: null }] = Object.values(
      data ?? {},
    );
    const failed = failedRequests ?? [];
    const done = t('pushed', { count: successRequests?.length ?? 0 });
    return failed.length > 0 ? `${done} ${t('notPushed', { urls: failed.join(', ') })}` : done;
  };
  return (
    <Stack gap="xs">
      <Text>{notBefore ? t('notBefore', { moment: moment(notBefore) }) : t('noNotBefore')}</Text>
      <Group gap="xs">
        {isAllowed && (
          <ReviewButton
            title={t('revokeTokens')}
            hint={t('revokeTokensHint')}
            // the time at which the button of the dialog is pressed
            act={(options) => set(new Date().toISOString(), options)}
            done={t('tokensRevoked')}
            undo={() => () => set(notBefore ?? null)}
            onDone={onDone}
          />
        )}
        {isAllowed && notBefore && (
          <ReviewButton
            title={t('clearNotBefore')}
            hint={t('clearNotBeforeHint')}
            act={(options) => set(null, options)}
            done={t('notBeforeCleared')}
            undo={() => () => set(notBefore)}
            onDone={onDone}
          />
        )}
        {canPush && <FormButton title={t('push')} hint={t('pushHint')} submit={push} done={told} />}
      </Group>
    </Stack>
  );
}
