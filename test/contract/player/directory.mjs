// The LDAP directory of the live scenarios: an entry of its own per scenario, and the steps that read and write there.
import { Attribute, Change, Client } from 'ldapts';
import { rootDn, rootPassword, startSlapd, suffix, top } from '../../../tools/slapd.mjs';

// Attributes and an object class as Active Directory has them, for storages of that kind.
const schema = `
attributetype ( 1.2.840.113556.1.4.8 NAME 'userAccountControl' EQUALITY integerMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.27 SINGLE-VALUE )
attributetype ( 1.2.840.113556.1.4.96 NAME 'pwdLastSet' EQUALITY integerMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.27 SINGLE-VALUE )
attributetype ( 1.2.840.113556.1.4.221 NAME 'sAMAccountName' EQUALITY caseIgnoreMatch SUBSTR caseIgnoreSubstringsMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.15 SINGLE-VALUE )
attributetype ( 1.2.840.113556.1.4.1853 NAME 'msDS-UserAccountDisabled' EQUALITY booleanMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.7 SINGLE-VALUE )
objectclass ( 1.2.840.113556.1.5.9 NAME 'adUser' SUP top AUXILIARY
  MAY ( userAccountControl $ pwdLastSet $ sAMAccountName $ msDS-UserAccountDisabled ) )
`;

/** Starts a directory for the scenarios; throws when OpenLDAP is not installed. */
export async function startDirectory() {
  const server = await startSlapd(top, { schema });
  const client = new Client({ url: server.url, strictDN: false });
  await client.bind(rootDn, rootPassword);
  return {
    url: server.url,
    client,
    async stop() {
      await client.unbind();
      await server.stop();
    },
  };
}

const isMissing = (error) => error.code === 32;

/** Creates the entry of a scenario, with places for people, groups and roles and what the scenario has there. Returns its DN. */
export async function prepareEntries({ client }, realm, entries, fill) {
  const base = `ou=${realm},${suffix}`;
  await removeEntries({ client }, base);
  const unit = (dn, name) => client.add(dn, { objectClass: ['organizationalUnit'], ou: [name] });
  await unit(base, realm);
  for (const name of ['people', 'groups', 'roles']) await unit(`ou=${name},${base}`, name);
  for (const entry of entries) {
    const { dn, attributes } = fill(entry, base);
    await client.add(dn, attributes);
  }
  return base;
}

/** Removes an entry and all below it, if it is there. */
export async function removeEntries({ client }, base) {
  const { searchEntries } = await client.search(base, { scope: 'sub', attributes: ['1.1'] }).catch((error) => {
    if (isMissing(error)) return { searchEntries: [] };
    throw error;
  });
  const deepestFirst = searchEntries.map(({ dn }) => dn).sort((a, b) => b.length - a.length);
  for (const dn of deepestFirst) await client.del(dn);
}

const actions = {
  add: ({ client }, { dn, attributes }) => client.add(dn, attributes),
  modify: ({ client }, { dn, changes }) =>
    client.modify(
      dn,
      Object.entries(changes).map(
        ([type, values]) => new Change({ operation: 'replace', modification: new Attribute({ type, values }) }),
      ),
    ),
  rename: ({ client }, { dn, to }) => client.modifyDN(dn, to),
  delete: ({ client }, { dn }) => client.del(dn),
  /** an entry with its attributes as lists, without the hash of its password */
  async read({ client }, { dn, attributes = ['*'] }) {
    const { searchEntries } = await client.search(dn, { scope: 'base', attributes });
    return readable(searchEntries[0]);
  },
  /** the DNs of all entries below */
  async list({ client }, { dn }) {
    const { searchEntries } = await client.search(dn, { scope: 'sub', attributes: ['1.1'] });
    return searchEntries.map((entry) => entry.dn).sort();
  },
  /** whether somebody may log in there with this password */
  async bind({ url }, { dn, password }) {
    const other = new Client({ url, strictDN: false });
    try {
      await other.bind(dn, password);
    } finally {
      await other.unbind();
    }
  },
};

function readable(entry) {
  const lists = Object.entries(entry)
    .filter(([name]) => name !== '*')
    .map(([name, value]) => [name, [value].flat().map(String).sort()]);
  return Object.fromEntries(
    lists.map(([name, values]) => [name, /^userPassword$/i.test(name) ? ['<password>'] : values]),
  );
}

/** Does a step in the directory. Returns an answer in the form of those of HTTP: 200, or 400 with the code of the refusal. */
export async function act(directory, step) {
  const answer = (status, body) => ({
    status,
    headers: new Headers({ 'content-type': 'application/json' }),
    bytes: Buffer.from(JSON.stringify(body)),
  });
  try {
    return answer(200, (await actions[step.ldap](directory, step)) ?? { done: true });
  } catch (error) {
    if (typeof error.code !== 'number') throw error;
    return answer(400, { ldapResultCode: error.code });
  }
}
