import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { performWrite } from '../../services/core/perform.js';
import { bootstrap } from '../../services/realms/bootstrap.js';
import { masterName } from '../../services/realms/defaults/master.js';
import { masterTarget } from '../../services/realms/operations.js';
import { inRealm, rolesOfUser } from '../../services/role-mappings/locate.js';
import { add } from '../../services/role-mappings/writes.js';
import { setPassword } from '../../services/users/credentials.js';
import { userById } from '../../services/users/locate.js';
import { createUser, patchUser } from '../../services/users/operations.js';
import { storedUsername } from '../../services/users/usernames.js';
import { print } from '../print.js';
import { operatorContext, withServices } from '../with-services.js';

interface AdminOptions {
  username: string;
  passwordFile?: string;
}

/**
 * Creates a user of the master realm with the role `admin`. An existing user with that name is enabled and gets the
 * password and the role. The password is the content of `passwordFile`, or of the standard input. After an
 * interruption, run it again.
 */
export async function createAdmin({ username, passwordFile }: AdminOptions): Promise<void> {
  const password = (
    passwordFile === undefined ? await text(process.stdin) : await readFile(passwordFile, 'utf8')
  ).trim();
  if (password === '')
    throw new Error('A password is required: in a file that --password-file names, or on the standard input');
  await withServices(async (services) => {
    const ctx = operatorContext(services);
    const realm = await services.realms.byName(ctx.db, masterName);
    if (!realm) {
      await bootstrap({
        ...services,
        config: { ...services.config, adminUsername: username, adminPassword: password },
      });
      return print(`The realm "${masterName}" was created with the administrator "${username}".`);
    }
    const known = await ctx.db.user.findFirst({
      where: { realmId: realm.id, username: storedUsername(username) },
      select: { id: true, enabled: true },
    });
    const id = known?.id ?? (await performWrite(ctx, createUser, masterTarget, { username, enabled: true })).result.id;
    const user = () => userById(ctx, realm, id);
    if (known && !known.enabled) await performWrite(ctx, patchUser, user, { enabled: true });
    await performWrite(ctx, setPassword, user, { type: 'password', value: password, temporary: false });
    const role = await ctx.db.role.findFirstOrThrow({
      where: { realmId: realm.id, clientId: null, name: 'admin' },
      select: { id: true, name: true },
    });
    await performWrite(ctx, add, async () => inRealm(await rolesOfUser(ctx, realm, id)), [role]);
    print(`The administrator "${storedUsername(username)}" was ${known ? 'renewed' : 'created'}.`);
  });
}
