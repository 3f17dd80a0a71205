import { Badge } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import type { Column } from '../parts/list.js';
import { area } from '../shell/areas.js';
import { useFormat, useText, useValueName } from '../text/text.js';
import * as documents from './documents.js';
import { EventDrawer, EventFields, EventScreen } from './event-screen.js';
import { texts } from './texts.js';

type Login = documents.LoginRowFragment;

/** The types that are offered as filters; the address may have any other one. */
const types = [
  'LOGIN',
  'LOGIN_ERROR',
  'LOGOUT',
  'LOGOUT_ERROR',
  'REGISTER',
  'CODE_TO_TOKEN',
  'CODE_TO_TOKEN_ERROR',
  'REFRESH_TOKEN',
  'REFRESH_TOKEN_ERROR',
  'CLIENT_LOGIN',
  'CLIENT_LOGIN_ERROR',
  'UPDATE_PASSWORD',
  'RESET_PASSWORD',
] as const satisfies documents.LoginEventType[];

const nameOf = ({ user, userId }: Login) => user?.username ?? userId ?? '';

/** The name of a type of events. */
function ValueName({ value }: { value: string }) {
  return useValueName()(value);
}

const columns: Column<Login>[] = [
  {
    key: 'type',
    title: texts.type,
    width: 170,
    render: ({ type, error }) => (
      <Badge color={error ? 'red' : 'teal'}>
        <ValueName value={type} />
      </Badge>
    ),
  },
  { key: 'user', title: texts.user, render: nameOf },
  { key: 'clientId', title: texts.client, width: 150 },
  { key: 'error', title: texts.error, width: 190 },
  { key: 'ipAddress', title: texts.ipAddress, width: 140 },
  { key: 'time', title: texts.time, width: 190, isTime: true },
];

/** What users have done to sign in and out: filters, live tail, details, and export. */
export function Logins() {
  const t = useText(texts);
  const valueName = useValueName();
  const { realm } = useParams({ from: '/$realm' });
  return (
    <EventScreen
      area={area.logins}
      file="logins"
      types={types}
      filterOf={(common, type, { actor }) => ({
        ...common,
        ...(type && { types: [type] }),
        ...(actor && { user: actor }),
      })}
      actor={{ label: t('user'), realm }}
      hint={t('loginsHint')}
      document={documents.LoginList}
      connectionOf={({ realm }) => realm?.loginEvents}
      live={documents.LoginLive}
      eventOf={({ loginEvents }) => loginEvents.event}
      columns={columns}
      nameOf={({ type }) => valueName(type)}
    >
      {(_, login, onClose) => login && <LoginEvent login={login} onClose={onClose} />}
    </EventScreen>
  );
}

/** A login event with its details. */
function LoginEvent({ login, onClose }: { login: Login; onClose(): void }) {
  const t = useText(texts);
  const valueName = useValueName();
  const { moment } = useFormat();
  return (
    <EventDrawer title={valueName(login.type)} onClose={onClose}>
      <EventFields
        fields={[
          [t('time'), moment(login.time)],
          [t('user'), nameOf(login)],
          [t('client'), login.clientId],
          [t('error'), login.error],
          [t('ipAddress'), login.ipAddress],
          [t('session'), login.sessionId],
          ...login.details.map(({ name, value }): [string, string] => [name, value]),
        ]}
      />
    </EventDrawer>
  );
}
