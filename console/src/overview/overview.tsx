import { Alert, Grid, Paper, SimpleGrid, Text, Title } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useParams } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import { type Bar, Bars } from '../parts/bars.js';
import { NotFound } from '../parts/empty.js';
import { useLoad } from '../session/graphql.js';
import { useMay } from '../shell/permissions.js';
import { Screen } from '../shell/screen.js';
import { useFormat, useText } from '../text/text.js';
import { Changes } from './changes.js';
import { Overview as document } from './documents.js';
import { Health } from './health.js';
import { texts } from './text.js';

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
    <Screen title={t('title', { realm: name })} loaded={loaded}>
      {({ realm }) => {
        if (!realm) return <NotFound />;
        const logins = realm.loginEventCounts ?? [];
        const total = logins.reduce((sum, { count }) => sum + count, 0);
        return (
          <>
            {realm.isEnabled === false && (
              <Alert color="yellow" icon={<IconAlertTriangle />}>
                {t('realmDisabled')}
              </Alert>
            )}
            <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }}>
              <Figure label={t('users')} value={realm.users?.totalCount} />
              <Figure label={t('activeSessions')} value={realm.userSessions?.totalCount} />
              <Figure label={t('logins')} value={realm.failures ? total : undefined} />
              <Figure label={t('failures')} value={realm.failures?.totalCount} />
            </SimpleGrid>
            <Grid>
              <Grid.Col span={{ base: 12, md: 7 }}>
                <Card title={t('perHour')}>
                  {realm.events?.isEnabled === false ? (
                    <Text c="dimmed">{t('noEvents')}</Text>
                  ) : (
                    <Bars bars={logins.map(barOf)} title={t('perHour')} unit={t('hour')} />
                  )}
                </Card>
              </Grid.Col>
              <Grid.Col span={{ base: 12, md: 5 }}>
                <Card title={t('health')}>
                  <Health realm={realm} />
                </Card>
              </Grid.Col>
            </Grid>
            {may('VIEW_EVENTS') && (
              <Card title={t('changes')}>
                <Changes realm={realm} />
              </Card>
            )}
          </>
        );
      }}
    </Screen>
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

function Card({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Paper withBorder p="md" h="100%" component="section" aria-label={title}>
      <Title order={2} size="h4" mb="sm">
        {title}
      </Title>
      {children}
    </Paper>
  );
}
