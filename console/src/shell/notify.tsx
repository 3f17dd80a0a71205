import { Button, Group, Text } from '@mantine/core';
import { Suspense, useEffect, useMemo } from 'react';
import type { Outcome, UserError } from '../session/graphql.js';
import { createStore, useStore } from '../session/store.js';
import { lazyPart, loadShown } from '../text/lazy.js';
import { useText } from '../text/text.js';
import { texts } from './texts.js';

const isUsed = createStore(false);
const load = () => loadShown(() => import('./notifications.js'));
const Shown = lazyPart(load, 'Notifications');

/** The place of notifications, which is there from the first of them on. */
export function Notifications() {
  return (
    useStore(isUsed) && (
      <Suspense>
        <Shown position="bottom-right" />
      </Suspense>
    )
  );
}

async function loaded() {
  isUsed.set(true);
  return (await load()).notifications;
}

/** Functions that tell what became of a mutation. */
export function useNotify() {
  const t = useText(texts);
  useEffect(() => {
    // that the connection was lost can be told only by what was loaded before
    void load();
  }, []);
  return useMemo(() => {
    const failed = async (errors: UserError[]) =>
      (await loaded()).show({
        color: 'red',
        title: t('failed'),
        message: errors.map(({ code, message }) => (code === 'CONNECTION' ? t('connectionFailed') : message)).join(' '),
        autoClose: 12_000,
        closeButtonProps: { 'aria-label': t('close') },
      });
    const succeeded = async (message: string, undo?: () => Promise<Outcome<unknown>>) => {
      const notifications = await loaded();
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
