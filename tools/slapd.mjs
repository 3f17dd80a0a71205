// Starts a scratch OpenLDAP: a folder of its own under the system's temporary one, free ports of this machine, no system
// service. Tests and the demonstration use it.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.mjs';

const binaries = ['/usr/sbin/slapd', '/usr/lib/openldap/slapd', '/usr/libexec/slapd', '/usr/local/libexec/slapd'];
const slapd = binaries.find((path) => existsSync(path));
const schemas = ['/etc/ldap/schema', '/etc/openldap/schema'].find((path) => existsSync(path));
const modules = ['/usr/lib/ldap', '/usr/lib/openldap', '/usr/lib64/openldap'].find(
  (path) => existsSync(path) && readdirSync(path).some((name) => name.startsWith('back_mdb')),
);

/** Whether OpenLDAP's server is installed here. */
export const hasSlapd = slapd !== undefined && schemas !== undefined;

export const suffix = 'dc=example,dc=org';
export const rootDn = `cn=admin,${suffix}`;
export const rootPassword = 'directory-secret';

/**
 * Starts a server with the entries of an LDIF text, and further types of attributes (`schema`). `stop()` ends it, `kill()`
 * without a word, `start()` again.
 */
export async function startSlapd(ldif, { tls, schema } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'slapd-'));
  mkdirSync(join(folder, 'data'));
  writeFileSync(join(folder, 'slapd.conf'), configuration(folder, tls, schema));
  writeFileSync(join(folder, 'entries.ldif'), ldif);
  execFileSync(slapd, ['-T', 'add', '-q', '-f', join(folder, 'slapd.conf'), '-l', join(folder, 'entries.ldif')]);
  let child;
  let [port, securePort] = [await freePort(), await freePort()];
  const launch = async () => {
    const addresses = [`ldap://127.0.0.1:${port}`, ...(tls ? [`ldaps://127.0.0.1:${securePort}`] : [])];
    child = spawn(slapd, ['-d', '0', '-f', join(folder, 'slapd.conf'), '-h', addresses.join(' ')], { stdio: 'ignore' });
    return answers(child, port);
  };
  const start = async () => {
    if (!(await launch())) throw new Error(`slapd does not start: it ended with status ${child.exitCode}`);
  };
  const end = (signal) =>
    new Promise((resolve) => {
      if (!child || child.exitCode !== null || child.signalCode !== null) return resolve();
      child.once('exit', resolve);
      child.kill(signal);
    });
  // somebody else can have taken a port in the meantime
  for (let attempts = 1; !(await launch()); attempts += 1) {
    if (attempts === 5) throw new Error(`slapd does not start: it ended with status ${child.exitCode}`);
    [port, securePort] = [await freePort(), await freePort()];
  }
  return {
    url: `ldap://127.0.0.1:${port}`,
    secureUrl: `ldaps://localhost:${securePort}`,
    /** stops and goes on: a server that is there and does not answer */
    pause: () => child.kill('SIGSTOP'),
    resume: () => child.kill('SIGCONT'),
    start,
    kill: () => end('SIGKILL'),
    async stop() {
      child.kill('SIGCONT');
      await end('SIGTERM');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function configuration(folder, tls, schema) {
  const own = schema && join(folder, 'own.schema');
  if (own) writeFileSync(own, schema);
  const certificates = tls && { key: join(folder, 'key.pem'), certificate: join(folder, 'cert.pem') };
  if (tls) {
    writeFileSync(certificates.key, tls.key);
    writeFileSync(certificates.certificate, tls.cert);
  }
  return [
    ...['core', 'cosine', 'inetorgperson', 'nis'].map((name) => `include ${schemas}/${name}.schema`),
    ...(own ? [`include ${own}`] : []),
    ...(modules ? [`modulepath ${modules}`, 'moduleload back_mdb', 'moduleload memberof'] : []),
    ...(tls ? [`TLSCertificateFile ${certificates.certificate}`, `TLSCertificateKeyFile ${certificates.key}`] : []),
    'sizelimit unlimited',
    'database mdb',
    'maxsize 1073741824',
    `suffix "${suffix}"`,
    `rootdn "${rootDn}"`,
    `rootpw ${rootPassword}`,
    `directory ${join(folder, 'data')}`,
    'index objectClass,uid,entryUUID,cn,sn,mail,modifyTimestamp,member eq',
    'dbnosync',
    '',
  ].join('\n');
}

/** Whether the process accepts connections at the port: false if it ends before. Throws if it does neither for 20 seconds. */
async function answers(child, port) {
  const deadline = Date.now() + 20_000;
  for (;;) {
    const isOpen = await new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1');
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
      socket.once('connect', () => socket.destroy());
    });
    if (child.exitCode !== null || child.signalCode !== null) return false;
    if (isOpen) return true;
    if (Date.now() > deadline) throw new Error('slapd does not start');
    await new Promise((resume) => setTimeout(resume, 50));
  }
}

/** The top of the directory, as LDIF. */
export const top = [
  `dn: ${suffix}\nobjectClass: dcObject\nobjectClass: organization\no: Example\ndc: example\n`,
  `dn: ou=people,${suffix}\nobjectClass: organizationalUnit\nou: people\n`,
  `dn: ou=groups,${suffix}\nobjectClass: organizationalUnit\nou: groups\n`,
].join('\n');

const base64 = (text) => Buffer.from(text).toString('base64');

/**
 * A person as LDIF. `password` is the one to log in with, `dn` has to have its name escaped, `more` are further lines such
 * as operational attributes.
 */
export function person(uid, { firstName = uid, lastName = 'Example', email, password = uid, dn, more = [] } = {}) {
  return [
    `dn: ${dn ?? `uid=${uid},ou=people,${suffix}`}`,
    'objectClass: inetOrgPerson',
    `uid:: ${base64(uid)}`,
    `cn:: ${base64(firstName)}`,
    `sn:: ${base64(lastName)}`,
    ...(email === null ? [] : [`mail:: ${base64(email ?? `${uid}@example.org`)}`]),
    `userPassword:: ${base64(password)}`,
    ...more,
    '',
  ].join('\n');
}

/** A group as LDIF, with the DNs of its members. */
export const group = (name, members) =>
  [
    `dn: cn=${name},ou=groups,${suffix}`,
    'objectClass: groupOfNames',
    `cn: ${name}`,
    ...members.map((member) => `member: ${member}`),
    '',
  ].join('\n');

export const personDn = (uid) => `uid=${uid},ou=people,${suffix}`;
export const groupDn = (name) => `cn=${name},ou=groups,${suffix}`;

const longAgo = ['createTimestamp: 20200101000000Z', 'modifyTimestamp: 20200101000000Z'];

/** The name of a person of a crowd, `user00000` and on. */
export const crowdName = (at) => `user${String(at).padStart(5, '0')}`;

/** So many people who have not been changed for long, each in two of so many groups, as LDIF. */
export function crowd(people, groups) {
  const dns = Array.from({ length: people }, (_, at) => personDn(crowdName(at)));
  const membersOf = (at) => dns.filter((_, person) => person % groups === at || (person + 1) % groups === at);
  return [
    ...dns.map((_, at) => person(crowdName(at), { firstName: `First${at}`, more: longAgo })),
    ...Array.from({ length: groups }, (_, at) => group(`group${at}`, membersOf(at))),
  ];
}

const listed = (config) => Object.fromEntries(Object.entries(config).map(([name, value]) => [name, [value]]));

/**
 * A component that connects a realm to a directory of this kind, with these settings besides.
 * @param {string} name
 * @param {string} url
 * @param {Record<string, string>} [config]
 */
export const storageComponent = (name, url, config = {}) => ({
  name,
  providerId: 'ldap',
  providerType: 'org.keycloak.storage.UserStorageProvider',
  config: listed({
    vendor: 'other',
    connectionUrl: url,
    authType: 'simple',
    bindDn: rootDn,
    bindCredential: rootPassword,
    usersDn: `ou=people,${suffix}`,
    usernameLDAPAttribute: 'uid',
    rdnLDAPAttribute: 'uid',
    uuidLDAPAttribute: 'entryUUID',
    userObjectClasses: 'inetOrgPerson',
    editMode: 'READ_ONLY',
    ...config,
  }),
});

/**
 * A mapper of such a storage.
 * @param {string} name
 * @param {string} parentId
 * @param {string} providerId
 * @param {Record<string, string>} config
 */
export const mapperComponent = (name, parentId, providerId, config) => ({
  name,
  parentId,
  providerId,
  providerType: 'org.keycloak.storage.ldap.mappers.LDAPStorageMapper',
  config: listed(config),
});
