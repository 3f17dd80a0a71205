import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../tools/free-port.mjs';
import { atEndOfFile, temporaryFolder } from './database.js';

const names = ['haproxy', 'nginx', 'caddy'] as const;
export type ProxyName = (typeof names)[number];

/** Debian puts two of them where the PATH of others than root does not lead. */
const programOf = (name: ProxyName): string | undefined =>
  [name, `/usr/sbin/${name}`].find((program) => {
    try {
      execFileSync(program, [name === 'caddy' ? 'version' : '-v'], { stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  });

/** The proxies that are installed. */
export const installedProxies: ProxyName[] = names.filter((name) => programOf(name) !== undefined);

/** The text of a configuration with which a proxy listens at a port, in front of instances at others. */
type Configuration = (port: number, ports: readonly number[], folder: string) => string;

const configurations: Record<ProxyName, Configuration> = {
  haproxy: (port, ports) => `
defaults
  mode http
  timeout connect 1s
  timeout client 30s
  timeout server 30s
  timeout check 5s
  option httpchk GET /health/ready
  default-server check inter 100ms fall 1 rise 1
frontend all
  http-request set-header X-Request-Id haproxy
  bind 127.0.0.1:${port}
  default_backend instances
backend instances
${ports.map((one) => `  server at${one} 127.0.0.1:${one}`).join('\n')}
`,
  nginx: (port, ports, folder) => `
daemon off;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
events {}
http {
  access_log off;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${folder}/${kind};`).join(' ')}
  upstream instances {
${ports.map((one) => `    server 127.0.0.1:${one} max_fails=0;`).join('\n')}
    keepalive 16;
  }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://instances;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header X-Request-Id nginx;
    }
  }
}
`,
  caddy: (port, ports) => `
{
  admin off
  auto_https off
}
http://127.0.0.1:${port} {
  reverse_proxy ${ports.map((one) => `127.0.0.1:${one}`).join(' ')} {
    health_uri /health/ready
    health_interval 100ms
    lb_try_duration 2s
    header_up X-Request-Id caddy
  }
}
`,
};

const argumentsOf: Record<ProxyName, (file: string, folder: string) => string[]> = {
  haproxy: (file) => ['-f', file, '-db'],
  nginx: (file, folder) => ['-c', file, '-p', folder],
  caddy: (file) => ['run', '--config', file, '--adapter', 'caddyfile'],
};

/**
 * Starts a proxy in front of instances on this machine, and returns its address. Unless it has another configuration, the ID of a request
 * is the name of the proxy.
 */
export async function startProxy(
  name: ProxyName,
  ports: readonly number[],
  configuration: Configuration = configurations[name],
): Promise<string> {
  const folder = temporaryFolder();
  const port = await freePort();
  const file = join(folder, `${name}.conf`);
  writeFileSync(file, configuration(port, ports, folder));
  const child = spawn(programOf(name) ?? name, argumentsOf[name](file, folder), {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  atEndOfFile(async () => {
    child.kill('SIGTERM');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  });
  while (!(await accepts(port))) {
    if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}: ${errors}`);
    await sleep(20);
  }
  return `http://127.0.0.1:${port}`;
}

/** Whether somebody listens at a port of this machine. */
const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
