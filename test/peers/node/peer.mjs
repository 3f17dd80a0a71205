// Walks the methods of the official Node client on the service of PEER_BASE: node peer.mjs PACKAGE-FOLDER
import { pathToFileURL } from 'node:url';
import { check, counts, recorded, refused, report } from './checks.mjs';
import { clients } from './clients.mjs';
import { flows } from './flows.mjs';
import { outside } from './outside.mjs';
import { realms } from './realms.mjs';
import { users } from './users.mjs';

const [file] = process.argv.slice(2);
const module = await import(pathToFileURL(file).href);
const Client = module.default?.default ?? module.default;
const plain = new Client({ baseUrl: process.env.PEER_BASE, realmName: 'master' });
const logIn = () =>
  plain.auth({ grantType: 'password', clientId: 'admin-cli', username: 'admin', password: process.env.PEER_PASSWORD });
await logIn();
const client = recorded(plain);
const realm = 'node-peer';
const smtpServer = { host: '127.0.0.1', port: process.env.PEER_SMTP_PORT, from: 'realm@peer.example' };
await client.realms.create({ realm, enabled: true, smtpServer });
plain.setConfig({ realmName: realm });
try {
  for (const part of [realms, users, clients, flows, outside]) await part(client, realm);
} finally {
  await client.realms.del({ realm });
}
await check('the realm is gone', () => refused(404, () => client.realms.findOne({ realm })));
report(file.split('/node_modules/').at(-1).replace('/lib/index.js', ''), plain);
console.log(`${counts.passed} cases passed, ${counts.failed} failed`);
process.exitCode = counts.failed > 0 ? 1 : 0;
