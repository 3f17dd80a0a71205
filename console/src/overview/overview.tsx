import {
  Alert,
  Anchor,
  Badge,
  Button,
  Grid,
  Group,
  List,
  Paper,
  SimpleGrid,
  Stack,
  Text,
  ThemeIcon,
} from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import { useMemo } from 'react';
import { type Bar, Bars } from '../parts/bars.js';
import { Card, Empty, NotFound, useActorName, useResourceName } from '../parts/display.js';
import { IconAlertTriangle, IconCircleCheck, IconHistory } from '../parts/icons.js';
import { addressPrefix } from '../session/address-prefix.js';
import { useLive, useLoad } from '../session/graphql.js';
import { useMay, useShell } from '../shell/areas.js';
import { useRealmCreation } from '../shell/create-realm.js';
import { Screen } from '../shell/screen.js';
import { type Translate, useFormat, useText } from '../text/text.js';
import { Overview as document, OverviewLive, type OverviewQuery } from './documents.js';
import { texts } from './texts.js';

/** What goes on in a realm: numbers, logins per hour, recent changes, and what needs attention. */
export function Overview() {
  const t = useText(texts);
  const { realm: name } = useParams({ from: '/$realm' });
  const may = useMay(name);
  const from = useMemo(dayBefore, []);
  const loaded = useLoad(document, {
    realm: name,
    from,
    viewsUsers: may('QUERY_USERS'),
    viewsEvents: may('VIEW_EVENTS'),
    viewsRealm: may('VIEW_REALM'),
    viewsSessions: may('VIEW_USERS'),
  });
  return (
    <Screen
      title={t('title', { realm: name })}
      loaded={loaded}
      actions={
        <>
          {name === 'master' && <FirstRealm />}
          <Button component="a" href={`${addressPrefix}/realms/${encodeURIComponent(name)}/account`} target="_blank">
            {t('accountPage')}
          </Button>
        </>
      }
    >
      {({ realm }) => {
        if (!realm) return <NotFound />;
        const logins = realm.loginEventCounts ?? [];
        const isCounted = realm.failures && realm.events?.isEnabled !== false;
        const total = logins.reduce((sum, { count }) => sum + count, 0);
        return (
          <>
            {realm.isEnabled === false && (
              <Alert color="yellow" icon={<IconAlertTriangle />}>
                {t('realmDisabled')}
              </Alert>
            )}
            <SimpleGrid cols={{ base: 2, md: 4 }}>
              <Figure label={t('users')} value={realm.users?.totalCount} />
              <Figure label={t('activeSessions')} value={realm.userSessions?.totalCount} />
              <Figure label={t('logins')} value={isCounted ? total : undefined} />
              <Figure label={t('failures')} value={isCounted ? realm.failures?.totalCount : undefined} />
            </SimpleGrid>
            <Grid>
              <Grid.Col span={{ base: 12, md: 7 }}>
                <Card h="100%" title={t('perHour')}>
                  {isCounted ? (
                    <Bars bars={logins.map(barOf)} title={t('perHour')} unit={t('hour')} />
                  ) : (
                    <NotCounted isStored={realm.events?.isEnabled !== false} />
                  )}
                </Card>
              </Grid.Col>
              {(may('VIEW_REALM') || may('VIEW_EVENTS')) && (
                <Grid.Col span={{ base: 12, md: 5 }}>
                  <Card h="100%" title={t('health')}>
                    <Health realm={realm} />
                  </Card>
                </Grid.Col>
              )}
            </Grid>
            {may('VIEW_EVENTS') && (
              <Card h="100%" title={t('changes')}>
                <Changes realm={realm} />
              </Card>
            )}
          </>
        );
      }}
    </Screen>
  );
}

/** Why logins are not counted: they are not stored, or the caller may not view them. */
function NotCounted({ isStored }: { isStored: boolean }) {
  const t = useText(texts);
  const { realm } = useParams({ from: '/$realm' });
  if (isStored) return <Text c="dimmed">{t('needsEvents')}</Text>;
  return (
    <>
      <Text c="dimmed">{t('noEvents')}</Text>
      <Anchor
        fz="sm"
        renderRoot={(props) => (
          <Link to="/$realm/settings" params={{ realm }} search={{ section: 'languages' }} {...props} />
        )}
      >
        {t('storeEvents')}
      </Anchor>
    </>
  );
}

/** Leads from the realm of the administrators to one for applications and their users. */
function FirstRealm() {
  const t = useText(texts);
  const { data } = useShell('master');
  const { open, dialog } = useRealmCreation();
  if (!data?.viewer.canCreateRealms) return null;
  return (
    <>
      <Button onClick={open} {...(data.realms?.nodes.length === 1 && { variant: 'filled' })}>
        {t('createRealm')}
      </Button>
      {dialog}
    </>
  );
}

const hour = 3_600_000;

/** The start of the first of the last 24 hours. */
const dayBefore = (): string => new Date((Math.ceil(Date.now() / hour) - 24) * hour).toISOString();

/** The logins of an hour, which has a label in both languages such as 03:00. */
const barOf = ({ start, count }: { start: string; count: number }): Bar => ({
  label: new Date(start).toLocaleTimeString('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
  value: count,
});

/** A number with its name. A dash stands for what the caller may not view. */
function Figure({ label, value }: { label: string; value: number | null | undefined }) {
  const format = useFormat();
  return (
    <Paper withBorder p="md">
      <Text c="dimmed">{label}</Text>
      <Text size="xl" fw={700} className="numbers">
        {value === null || value === undefined ? '–' : format.number(value)}
      </Text>
    </Paper>
  );
}

const colors = { CREATE: 'teal', UPDATE: 'blue', DELETE: 'red', ACTION: 'gray' } as const;
const most = 8;

/** The last changes of administrators, with those that happen while one looks. */
function Changes({ realm }: { realm: RealmOverview }) {
  const t = useText(texts);
  const format = useFormat();
  const actorName = useActorName();
  const resourceName = useResourceName();
  const live = useLive(OverviewLive, { realm: realm.id }, ({ adminEvents }) => adminEvents.event, { most });
  const stored = realm.adminEvents?.nodes ?? [];
  const events = [...new Map([...live, ...stored].map((event) => [event.id, event])).values()].slice(0, most);
  if (events.length === 0) return <Empty icon={IconHistory} title={t('noChanges')} hint={t('noChangesHint')} />;
  return (
    <Stack gap="xs" aria-live="polite">
      {events.map((event) => (
        <Group key={event.id} gap="xs" wrap="wrap">
          <Badge color={colors[event.operationType]} miw={90}>
            {t(event.operationType)}
          </Badge>
          <Text style={{ overflowWrap: 'anywhere' }} flex="1 1 200px">
            {resourceName(event)}
          </Text>
          <Text c="dimmed">
            {t('by', { name: actorName(event) })} · {format.moment(event.time)}
          </Text>
        </Group>
      ))}
    </Stack>
  );
}

const soon = 90 * 86_400_000;

/** What needs attention in a realm: directories, webhooks, and certificates. */
function Health({ realm }: { realm: RealmOverview }) {
  const t = useText(texts);
  const { moment } = useFormat();
  const faults = faultsOf(realm, t, moment);
  if (faults.length === 0) return <Empty icon={IconCircleCheck} title={t('healthy')} hint={t('healthHint')} />;
  return (
    <List
      spacing="xs"
      size="sm"
      icon={
        <ThemeIcon size={22} radius="xl" color="yellow" variant="light">
          <IconAlertTriangle size={14} aria-hidden />
        </ThemeIcon>
      }
    >
      {faults.map((fault) => (
        <List.Item key={fault}>{fault}</List.Item>
      ))}
    </List>
  );
}

function faultsOf(realm: RealmOverview, t: Translate<typeof texts>, moment: (time: string) => string): string[] {
  const directories = (realm.userStorages ?? []).flatMap(({ name, kind, isEnabled, lastSync }) => {
    const called = name ?? kind;
    if (!isEnabled) return [t('directoryOff', { name: called })];
    if (lastSync?.error) return [t('directoryFailed', { name: called, error: lastSync.error })];
    return lastSync?.failed ? [t('directoryPartly', { name: called, failed: lastSync.failed })] : [];
  });
  const webhooks = (realm.webhooks?.nodes ?? [])
    .filter(({ failures, disabledReason }) => failures > 0 || disabledReason !== null)
    .map(({ name, failures }) => t('webhookFailing', { name, failures }));
  const keys = (realm.keys ?? []).flatMap(({ kid, algorithm, status, certificateExpiresAt: end }) =>
    status !== 'DISABLED' && end && Date.parse(end) - Date.now() < soon
      ? [t('keyExpires', { algorithm, kid: kid.slice(0, 8), moment: moment(end) })]
      : [],
  );
  return [...directories, ...webhooks, ...keys];
}

/** A realm as the overview has loaded it. */
type RealmOverview = NonNullable<OverviewQuery['realm']>;
