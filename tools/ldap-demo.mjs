// Starts a small directory and says how a realm is connected to it: `npm run ldap-demo`.
import { group, groupDn, hasSlapd, person, personDn, startSlapd, storageComponent, top } from './slapd.mjs';

const people = [
  ['ann', { firstName: 'Ann', lastName: 'Archer' }],
  ['bob', { firstName: 'Bob', lastName: 'Baker' }],
  ['cleo', { firstName: 'Cleó', lastName: 'Çelik' }],
  ['dan', { firstName: 'Dan', lastName: "O'Dowd (ext)" }],
];

if (!hasSlapd) {
  console.error('OpenLDAP is not installed. On Debian: apt-get install slapd ldap-utils');
  process.exit(1);
}

const directory = await startSlapd(
  [
    top,
    ...people.map(([uid, parts]) => person(uid, parts)),
    group('staff', [groupDn('kitchen'), personDn('ann')]),
    group('kitchen', [personDn('bob'), personDn('cleo')]),
  ].join('\n'),
);

const storage = storageComponent('demo', directory.url, {
  enabled: 'true',
  editMode: 'WRITABLE',
  importEnabled: 'true',
});

console.log(`A directory with ${people.length} people and two groups listens on ${directory.url}.
The password of each user is the username. Ctrl-C stops and deletes the directory.

For the commands of docs/directories.md: DIRECTORY=${directory.url}

POST this to /auth/{realm}/components, then POST /auth/{realm}/user-storage/{id}/sync?action=triggerFullSync:

${JSON.stringify(storage, null, 2)}`);

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => directory.stop().then(() => process.exit(0)));
setInterval(() => undefined, 2 ** 30);
