import { Alert, Button, Group, Skeleton, Stack, Text, Title, Tooltip } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { IconAlertTriangle, IconBrandGraphql, IconLock } from '../parts/icons.js';
import { failuresOf, type Loaded, type Operation } from '../session/graphql.js';
import { useText } from '../text/text.js';
import { texts } from './texts.js';

interface ScreenProps<Data> {
  title: string;
  loaded: Loaded<Data>;
  /** links above the title, such as one to the list of the object */
  path?: ReactNode;
  /** buttons beside the title */
  actions?: ReactNode;
  children(data: Data): ReactNode;
}

/** A screen: its title, what was loaded once it is there, what the caller may not view, and its operation as GraphQL. */
export function Screen<Data>({ title, loaded, path, actions, children }: ScreenProps<Data>) {
  const { data, error, isLoading, operation } = loaded;
  useDocumentTitle(`${title} · Realmgate`);
  return (
    <Stack gap="md">
      {path}
      <Group>
        <Title order={1} flex="1 1 150px" style={{ overflowWrap: 'anywhere' }}>
          {title}
        </Title>
        <Group gap="xs">
          {actions}
          <ShowAsGraphql {...operation} />
        </Group>
      </Group>
      {error && !isLoading && <Failure loaded={loaded} />}
      {data ? children(data) : isLoading && <Placeholder />}
    </Stack>
  );
}

/** Opens GraphiQL with the operation and variables of a screen. */
function ShowAsGraphql({ document, variables }: Operation) {
  const t = useText(texts);
  const query = new URLSearchParams({ query: document, variables: JSON.stringify(variables, null, 2) });
  return (
    <Tooltip label={t('showAsGraphql')}>
      <Button component="a" href={`/graphql?${query}`} target="_blank" px="xs" aria-label={t('showAsGraphql')}>
        <IconBrandGraphql size={18} aria-hidden />
      </Button>
    </Tooltip>
  );
}

/** What the server has refused, with the permission that is missing, or why nothing was loaded. */
export function Failure<Data>({ loaded: { data, error, reload } }: { loaded: Loaded<Data> }) {
  const t = useText(texts);
  if (!error) return null;
  const failures = failuresOf(error);
  const isRefusal = failures.every(({ code }) => code === 'FORBIDDEN');
  const title = t(isRefusal ? (data ? 'partly' : 'notAllowed') : 'loadFailed');
  return (
    <Alert
      color={isRefusal ? 'gray' : 'red'}
      icon={isRefusal ? <IconLock /> : <IconAlertTriangle />}
      title={title}
      role="alert"
    >
      <Stack gap="xs" align="flex-start">
        {[...new Set(failures.map(({ message }) => message))].map((message) => (
          <Text key={message}>{message}</Text>
        ))}
        {!isRefusal && (
          <Button size="xs" onClick={reload}>
            {t('tryAgain')}
          </Button>
        )}
      </Stack>
    </Alert>
  );
}

/** The place of what is being loaded. */
export function Placeholder() {
  return (
    <Stack gap="sm" aria-busy="true">
      {['60%', '100%', '100%', '90%', '100%', '75%'].map((width, at) => (
        <Skeleton key={at} height={28} width={width} />
      ))}
    </Stack>
  );
}
