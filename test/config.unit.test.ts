import { describe, expect, it } from 'vitest';
import { ConfigError, readConfig, settings } from '../src/config/config.js';

const withFile = (text: string, env: Record<string, string> = {}) =>
  readConfig({ REALMGATE_CONFIG: 'realmgate.conf', ...env }, () => text);

function messageOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as Error).message;
  }
  throw new Error('nothing was refused');
}

describe('the file of a secret', () => {
  const key = 'ab'.repeat(32);
  const read = (env: Record<string, string>) =>
    readConfig(env, (path) => {
      if (path === '/run/key') return `${key}\n`;
      if (path === '/run/settings') return 'SECRETS_KEY_FILE=/run/key';
      throw new Error('there is none');
    });

  it('holds the value, also if a file of settings names it', () => {
    const { secretsKey } = readConfig({ SECRETS_KEY: key });
    expect(read({ SECRETS_KEY_FILE: '/run/key' }).secretsKey).toEqual(secretsKey);
    expect(read({ REALMGATE_CONFIG: '/run/settings' }).secretsKey).toEqual(secretsKey);
    expect(read({ REALMGATE_CONFIG: '/run/settings', SECRETS_KEY: '0'.repeat(64) }).secretsKey).not.toEqual(secretsKey);
  });

  it('is refused beside the value, if it cannot be read, and if its value is wrong, which is not shown', () => {
    const both = messageOf(() => read({ SECRETS_KEY_FILE: '/run/key', SECRETS_KEY: key }));
    expect(both).toBe('SECRETS_KEY and SECRETS_KEY_FILE are both set: set one of them.');
    const missing = messageOf(() => read({ METRICS_TOKEN_FILE: '/run/none' }));
    expect(missing).toContain('METRICS_TOKEN_FILE must be the path of a readable file');
    const wrong = messageOf(() => read({ DATABASE_URL_FILE: '/run/key' }));
    expect(wrong).toMatch(/^DATABASE_URL must be .* has another value/);
  });
});

describe('the environment', () => {
  it('may be empty', () => {
    expect(readConfig({})).toEqual({
      host: '0.0.0.0',
      auditChain: false,
      auditEvents: ['admin'],
      port: 8080,
      rateLimitAddress: 0,
      rateLimitClient: 0,
      failuresAddress: 300,
      failuresAccount: 100,
      databaseUrl: 'file:./data/realmgate.db',
      databasePool: 10,
      databaseStatementTimeout: 60,
      databaseSharedTransactions: true,
      workers: 1,
      sqliteSynchronous: 'FULL',
      adminUsername: 'admin',
      adminPassword: undefined,
      publicUrl: undefined,
      logLevel: 'info',
      logUsers: 'name',
      accessLog: false,
      secretsKey: undefined,
      bodyLimit: 10_485_760,
      importBodyLimit: 268_435_456,
      graphiql: true,
      console: true,
      restMount: 'both',
      addressPrefix: ['/auth'],
      graphqlIntrospection: 'everybody',
      trustedDocumentsOnly: false,
      subscriptionsPerCaller: 50,
      connectionsPerAddress: 100,
      shutdownTimeout: 10,
      shutdownDelay: 5,
      readyRequires: 'reads',
      trustProxy: 0,
      maxConcurrentRequests: 256,
      maxQueuedRequests: 1024,
      clientTimeout: 30,
      hashThreads: 2,
      fetchPrivateAddresses: false,
      webhookPrivateAddresses: false,
      webhookAttempts: 20,
      webhookRetryWait: 5,
      otlpEndpoint: undefined,
      otlpHeaders: undefined,
      otlpTimeout: 10_000,
      otelServiceName: 'realmgate',
      otelResourceAttributes: undefined,
      otelTracesExporter: 'otlp',
      otelMetricsExporter: 'otlp',
      otelSampler: 'parentbased_always_on',
      otelSamplerRatio: 1,
      otelMetricInterval: 60_000,
      otelDisabled: false,
    });
  });

  it('gives typed values, of which an empty one counts as unset', () => {
    const config = readConfig({ PORT: '0', GRAPHIQL: 'false', ADMIN_USERNAME: ' Root ', PUBLIC_URL: '', HOST: '::1' });
    expect(config).toMatchObject({ port: 0, graphiql: false, adminUsername: 'root', host: '::1' });
    expect(config.publicUrl).toBeUndefined();
  });

  it.each(['file:data/a.db', 'file:///srv/a.db', 'postgresql://u:p@db:5432/a', 'postgres://db/a?sslmode=require'])(
    'takes the database %s',
    (url) => {
      expect(readConfig({ DATABASE_URL: url }).databaseUrl).toBe(url);
    },
  );

  it('takes the key in base64 and in hexadecimal digits', () => {
    const key = Buffer.alloc(32, 0xa7);
    for (const encoding of ['base64', 'base64url', 'hex'] as const) {
      expect(readConfig({ SECRETS_KEY: key.toString(encoding) }).secretsKey).toEqual(new Uint8Array(key));
    }
  });
});

describe('a wrong value', () => {
  it.each([
    ['PORT', '80a', 'PORT must be a number from 0 to 65535, but is "80a".'],
    ['PORT', '70000', 'PORT must be a number from 0 to 65535, but is "70000".'],
    ['DATABASE_POOL', '0', 'DATABASE_POOL must be a number from 1 to 1000, but is "0".'],
    ['GRAPHIQL', 'yes', 'GRAPHIQL must be true or false, but is "yes".'],
    ['SQLITE_SYNCHRONOUS', 'off', 'SQLITE_SYNCHRONOUS must be FULL or NORMAL, but is "off".'],
  ])('of %s is refused in one sentence', (name, value, message) => {
    expect(messageOf(() => readConfig({ [name]: value }))).toBe(message);
  });

  it.each(['mysql://db/a', 'file:', 'file::memory:', 'file:a.db?mode=ro', 'data/a.db'])(
    'refuses the database %s',
    (url) => {
      expect(messageOf(() => readConfig({ DATABASE_URL: url }))).toContain('DATABASE_URL must be');
    },
  );

  it.each(['example.org', 'https://example.org/', 'ftp://example.org', 'https://example.org/a?b=c'])(
    'refuses the public address %s',
    (url) => {
      expect(messageOf(() => readConfig({ PUBLIC_URL: url }))).toContain('PUBLIC_URL must be');
    },
  );

  it('is not shown where it is secret', () => {
    expect(messageOf(() => readConfig({ SECRETS_KEY: 'hunter2' }))).not.toContain('hunter2');
    expect(messageOf(() => readConfig({ DATABASE_URL: 'mysql://root:hunter2@db/a' }))).not.toContain('hunter2');
  });
});

describe('the file', () => {
  it('holds KEY=VALUE lines, over which the environment wins', () => {
    const text = '# of the test\nPORT=9000\n\nexport LOG_LEVEL = "warn"\nADMIN_PASSWORD=\'a # b\'\n';
    expect(withFile(text)).toMatchObject({ port: 9000, logLevel: 'warn', adminPassword: 'a # b' });
    expect(withFile(text, { PORT: '9001' }).port).toBe(9001);
  });

  it('or a JSON object', () => {
    expect(withFile('{ "PORT": 9000, "GRAPHIQL": false }')).toMatchObject({ port: 9000, graphiql: false });
  });

  it.each([
    ['PROT=1', 'realmgate.conf sets PROT, which is not a setting.'],
    ['{ "PROT": 1 }', 'realmgate.conf sets PROT, which is not a setting.'],
    ['PORT=1\nwhat?', 'Line 2 of realmgate.conf is not of the form KEY=VALUE.'],
    ['{ "PORT": [1] }', 'realmgate.conf sets PORT to something that is not a text, a number, true or false.'],
    ['{ "ADMIN_PASSWORD": "hunter2" ', 'realmgate.conf starts like a JSON object, but is not valid JSON.'],
  ])('is refused when it holds %j', (text, message) => {
    expect(messageOf(() => withFile(text))).toBe(message);
  });

  it('has to be readable', () => {
    expect(messageOf(() => readConfig({ REALMGATE_CONFIG: 'not-there.conf' }))).toContain('but is "not-there.conf"');
  });
});

describe('the list of settings', () => {
  it('names each setting once, with a default that is valid', () => {
    const names = settings.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    const defaults = settings.flatMap((setting) => (setting.default ? [[setting.name, setting.default]] : []));
    expect(readConfig(Object.fromEntries(defaults))).toEqual(readConfig({}));
  });
});
