import { Moment, Status } from '../parts/cells.js';
import type { Column } from '../parts/list.js';
import type { UserOrderField, UserRowFragment } from './documents.js';
import { texts } from './text.js';

/** The columns of the user list. A further one needs an entry here and its field in the fragment `UserRow`. */
export const columns: readonly Column<UserRowFragment, UserOrderField>[] = [
  { key: 'username', title: texts.username, sort: 'USERNAME', width: 180 },
  { key: 'email', title: texts.email, sort: 'EMAIL' },
  { key: 'firstName', title: texts.firstName, sort: 'FIRST_NAME', width: 130 },
  { key: 'lastName', title: texts.lastName, sort: 'LAST_NAME', width: 130 },
  { key: 'status', title: texts.status, width: 120, render: ({ isEnabled }) => <Status isEnabled={isEnabled} /> },
  {
    key: 'createdAt',
    title: texts.createdAt,
    sort: 'CREATED_AT',
    width: 190,
    render: ({ createdAt }) => <Moment time={createdAt} />,
  },
];
