import { Alert, Button, Center, Code, Group, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { Logo } from '../parts/display.js';
import { IconLock, IconPlugConnectedX } from '../parts/icons.js';
import { connection } from '../session/send.js';
import { home, leave, type SignInRefused, sessionState, signInAgain } from '../session/sign-in.js';
import { useStore } from '../session/store.js';
import { language } from '../text/catalogue.js';
import { useText } from '../text/text.js';
import { texts } from './texts.js';

/** Says why the server has refused a login, with ways on. */
export function Refused({ refusal }: { refusal: SignInRefused }) {
  const t = useText(texts);
  useLanguageOfPage();
  return (
    <WholePage title={t('refused', { realm: home })}>
      <Text ta="center">{refusal.message || t('refusedHint')}</Text>
      <Code>{refusal.code}</Code>
      <Group>
        <Button variant="filled" onClick={() => leave(refusal.to)}>
          {t('tryAgain')}
        </Button>
        <Button component="a" href="/" variant="default">
          {t('toStart')}
        </Button>
      </Group>
    </WholePage>
  );
}

/** A page without the frame of the console, with the ways on. */
function WholePage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Center mih="100vh" component="main" p="md">
      <Stack align="center" maw={560}>
        <Logo size={48} />
        <Title order={1} ta="center">
          {title}
        </Title>
        {children}
      </Stack>
    </Center>
  );
}

/** Has the page say which language it is in. */
function useLanguageOfPage(): void {
  const present = useStore(language);
  useEffect(() => {
    document.documentElement.lang = present;
  }, [present]);
}

/** Shows the console, or how to sign in after the caller has signed out. */
export function SessionGate({ children }: { children: ReactNode }) {
  const t = useText(texts);
  useLanguageOfPage();
  if (useStore(sessionState) !== 'ended') return children;
  return (
    <WholePage title={t('signedOut')}>
      <Button variant="filled" onClick={() => leave(location.pathname + location.search)}>
        {t('signIn')}
      </Button>
    </WholePage>
  );
}

/** Notes above the screen while the session or the connection is not good. The screen stays as it is. */
export function Notices() {
  const t = useText(texts);
  const session = useStore(sessionState);
  const state = useStore(connection);
  if (session === 'expired')
    return (
      <Alert color="yellow" icon={<IconLock />} role="alert" mb="md">
        <Group justify="space-between">
          <Text>{t('expired')}</Text>
          <Button variant="filled" size="xs" onClick={() => signInAgain()}>
            {t('signInAgain')}
          </Button>
        </Group>
      </Alert>
    );
  if (state === 'good') return null;
  return (
    <Alert color="yellow" icon={<IconPlugConnectedX />} role="status" mb="md">
      <Text>{state === 'lost' ? t('lost') : t('busy', state)}</Text>
    </Alert>
  );
}
