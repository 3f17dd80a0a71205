// Runs the tests of gocloak, unmodified, on the service of PEER_BASE: node suite.mjs <folder for files>.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const { PEER_BASE, PEER_PASSWORD } = process.env;
const [, , cache] = process.argv;
const module = 'github.com/Nerzal/gocloak/v13';
const here = fileURLToPath(new URL('.', import.meta.url));
const go = (...command) => execFileSync('go', command, { cwd: here, encoding: 'utf8' });

/** Tests that do not pass, with the reason. */
const skipped = {
  Test_GroupPermissions: 'gives a permission the policy of another resource server, which is refused',
  Test_ImportIdentityProviderConfig: 'has the service fetch a document of the Internet',
  Test_ImportIdentityProviderConfigFromFile: 'expects a setting that Keycloak had for some versions',
};

const send = (path, body, headers = {}) => fetch(PEER_BASE + path, { method: 'POST', body, headers });
const login = new URLSearchParams({
  grant_type: 'password',
  client_id: 'admin-cli',
  username: 'admin',
  password: PEER_PASSWORD,
});
const { access_token: token } = await (await send('/realms/master/protocol/openid-connect/token', login)).json();

const folder = go('list', '-m', '-f', '{{.Dir}}', module).trim();
const realm = readFileSync(join(folder, 'testdata/gocloak-realm.json'));
const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
const { status } = await send('/admin/realms', realm, headers);
if (status !== 201) throw new Error(`the realm of the tests is refused with ${status}`);

const config = JSON.parse(readFileSync(join(folder, 'testdata/config.json'), 'utf8'));
const settings = join(cache, 'config.json');
const admin = { ...config.admin, password: PEER_PASSWORD };
writeFileSync(settings, JSON.stringify({ ...config, hostname: PEER_BASE, admin }));
const program = join(cache, 'suite.test');
// the module pins what its tests need
go('test', '-C', folder, '-c', '-o', program, '.');
for (const [name, reason] of Object.entries(skipped)) console.log(`  not run: ${name} ${reason}`);
try {
  execFileSync(program, ['-test.skip', `^(${Object.keys(skipped).join('|')})$`, '-test.v'], {
    cwd: folder,
    env: { ...process.env, GOCLOAK_TEST_CONFIG: settings },
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
} catch ({ stdout }) {
  const lines = stdout.split('\n');
  const failed = lines.filter((line) => line.startsWith('--- FAIL'));
  console.log(lines.filter((line) => /FAIL|Error|_test\.go/.test(line)).join('\n'));
  throw new Error(`${failed.length} tests of gocloak failed`);
}
