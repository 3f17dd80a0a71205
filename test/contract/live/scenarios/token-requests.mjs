// Token requests for people of a directory: what is wrong with a request, and what with a login.
import { login, person, storage, users } from '../steps.mjs';

const request = (form, note) => ({
  ...login('anna'),
  form: { grant_type: 'password', client_id: 'admin-cli', ...form },
  note,
});
const forms = [
  [{ username: 'anna', password: 'anna' }, 'good'],
  [{ username: 'anna', password: 'wrong' }, 'wrong password'],
  [{ username: 'anna' }, 'no password'],
  [{ username: 'anna', password: '' }, 'empty password'],
  [{ username: 'anna', password: ' ' }, 'blank password'],
  [{ password: 'anna' }, 'no user name'],
  [{ username: '', password: 'anna' }, 'empty user name'],
  [{ username: ' ', password: 'anna' }, 'blank user name'],
  [{ username: ' anna ', password: 'anna' }, 'blanks around the user name'],
  [{ username: 'nobody', password: 'anna' }, 'nobody'],
  [{ username: 'anna@example.org', password: 'anna' }, 'mail address'],
  [{ username: 'a*', password: 'anna' }, 'asterisk'],
  [{ username: 'anna', password: 'anna', scope: 'nonsense' }, 'unknown scope'],
  [{ username: 'anna', password: 'anna', client_id: 'nothing' }, 'unknown client'],
  [{ grant_type: 'magic', username: 'anna', password: 'anna' }, 'unknown grant'],
  [{ grant_type: '', username: 'anna', password: 'anna' }, 'empty grant'],
];

export default ['true', 'false'].flatMap((importEnabled) => [
  {
    name: `token requests for somebody not seen before, importEnabled=${importEnabled}`,
    directory: [person('anna')],
    steps: [storage({ importEnabled }), ...[...forms.slice(1), ...forms.slice(0, 1)].map((form) => request(...form))],
  },
  {
    name: `token requests for somebody who is known, importEnabled=${importEnabled}`,
    directory: [person('anna')],
    steps: [storage({ importEnabled }), users({ username: 'anna' }), ...forms.map((form) => request(...form))],
  },
]);
