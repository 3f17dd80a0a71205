import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config/config.js';
import { referencePage } from '../../src/rest/reference/reference.js';

type RestMount = 'both' | 'admin' | 'documented';

/** The text of a page of the reference; undefined if there is none. */
async function textOf(path: string, restMount: RestMount = 'both', query = ''): Promise<string | undefined> {
  const page = await referencePage(path, new URLSearchParams(query), readConfig({ REST_MOUNT: restMount }));
  return page && String(page.body).replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('<wbr>', '');
}

/** The addresses that a search finds. */
const found = async (searched: string, restMount: RestMount): Promise<string[]> =>
  [...((await textOf('/reference', restMount, `q=${searched}`)) ?? '').matchAll(/<\/span> <code>([^<]+)<\/code>/g)].map(
    ([, path = '']) => path,
  );

describe('the REST reference', () => {
  it('has the addresses at which the server answers', async () => {
    expect(await textOf('/reference/server', 'both')).toContain('"$URL/auth"');
    expect(await textOf('/reference/server', 'admin')).toContain('"$URL/auth/admin/serverinfo"');
    const mounts = ['both', 'admin', 'documented'] as const;
    const [both, admin, documented] = await Promise.all(mounts.map((mount) => found('users', mount)));
    expect(both?.some((path) => path.startsWith('/admin/realms'))).toBe(true);
    expect(documented?.filter((path) => path.startsWith('/admin/'))).toEqual([]);
    expect(admin?.filter((path) => !/^\/(admin|realms)\//.test(path))).toEqual([]);
    expect(await found('{id}/name', 'documented')).toContain('/{id}/name');
    expect(await found('{id}/name', 'admin')).toEqual(['/admin/realms/{realm}/user-storage/{id}/name']);
  });

  it('sends a text as it is', async () => {
    expect(await textOf('/reference/localization')).toContain("-H 'Content-Type: text/plain' \\\n  -d 'text'");
  });

  it('names limits, also the number 0', async () => {
    expect(await textOf('/reference/schemas/ClientRepresentation')).toContain('At least 0.');
  });

  it('has no page for what it does not describe', async () => {
    for (const path of ['/reference/none', '/reference/schemas/constructor', '/reference/user/x'])
      expect(await textOf(path)).toBeUndefined();
  });
});
