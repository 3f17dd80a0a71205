const authority = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/;

/** The URL of each host that a DATABASE_URL names, as libpq does: with commas (`postgresql://one:5432,two:5432/database`). */
export function hostsOf(databaseUrl: string): string[] {
  const [, before, hosts, after] = authority.exec(databaseUrl) ?? [];
  if (before === undefined || hosts === undefined || after === undefined) return [databaseUrl];
  return hosts.split(',').map((host) => before + host + withoutAttributes(after));
}

/** Where migrations and notifications go: to the database itself, as a pooler gives each transaction another session. */
export const directUrl = (config: { databaseUrl: string; databaseDirectUrl?: string | undefined }): string =>
  config.databaseDirectUrl ?? config.databaseUrl;

/** libpq's setting for the kind of server that is wanted; here it is always the one that takes writes. */
const withoutAttributes = (path: string): string =>
  path.replace(/([?&])target_session_attrs=[^&#]*(&?)/, (_, before, more) => (more ? before : ''));
