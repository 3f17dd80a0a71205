import { Badge } from '@mantine/core';
import type { Column } from '../parts/list.js';
import type { Translate } from '../text/text.js';
import type { UserOrderField, UserRowFragment } from './documents.js';
import type { texts } from './text.js';

interface Context {
  t: Translate<typeof texts>;
  moment(time: string): string;
}

/** The columns of the user list. A further one needs an entry here and its field in the fragment `UserRow`. */
export const columnsOf = ({ t, moment }: Context): Column<UserRowFragment, UserOrderField>[] => [
  { key: 'username', title: t('username'), sort: 'USERNAME', width: 200, render: ({ username }) => username },
  { key: 'email', title: t('email'), sort: 'EMAIL', width: 240, render: ({ email }) => email },
  { key: 'firstName', title: t('firstName'), sort: 'FIRST_NAME', render: ({ firstName }) => firstName },
  { key: 'lastName', title: t('lastName'), sort: 'LAST_NAME', render: ({ lastName }) => lastName },
  {
    key: 'status',
    title: t('status'),
    width: 130,
    render: ({ isEnabled }) => (
      <Badge color={isEnabled ? 'teal' : 'gray'}>{t(isEnabled ? 'enabled' : 'disabled')}</Badge>
    ),
  },
  {
    key: 'createdAt',
    title: t('createdAt'),
    sort: 'CREATED_AT',
    width: 190,
    render: ({ createdAt }) => createdAt && moment(createdAt),
  },
];
