import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMemo } from 'react';
import type { Outcome, UserError } from '../session/graphql.js';
import { useText } from '../text/text.js';
import { texts } from './text.js';

/** Functions that tell what became of a mutation. */
export function useNotify() {
  const t = useText(texts);
  return useMemo(() => {
    const failed = (errors: UserError[]) =>
      notifications.show({
        color: 'red',
        title: t('failed'),
        message: errors.map(({ code, message }) => (code === 'CONNECTION' ? t('connectionFailed') : message)).join(' '),
        autoClose: 12_000,
        closeButtonProps: { 'aria-label': t('close') },
      });
    const succeeded = (message: string, undo?: () => Promise<Outcome<unknown>>) => {
      const id = notifications.show({
        color: 'teal',
        message: undo ? (
          <Group justify="space-between" wrap="nowrap">
            <Text>{message}</Text>
            <Button
              size="compact-sm"
              variant="light"
              onClick={async () => {
                notifications.hide(id);
                const { errors } = await undo();
                if (errors.length > 0) failed(errors);
                else succeeded(t('undone'));
              }}
            >
              {t('undo')}
            </Button>
          </Group>
        ) : (
          message
        ),
        autoClose: undo ? 12_000 : 5000,
        closeButtonProps: { 'aria-label': t('close') },
      });
    };
    return { failed, succeeded };
  }, [t]);
}
