import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../tools/free-port.mjs';
import { atEndOfFile, temporaryFolder } from './database.js';

const names = ['haproxy', 'nginx'] as const;
export type ProxyName = (typeof names)[number];

/** Debian puts both where the PATH of others than root does not lead. */
const programOf = (name: ProxyName): string | undefined =>
  [name, `/usr/sbin/${name}`].find((program) => {
    try {
      execFileSync(program, ['-v'], { stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  });

/** The proxies that are installed. */
export const installedProxies: ProxyName[] = names.filter((name) => programOf(name) !== undefined);

const configurations: Record<ProxyName, (port: number, ports: readonly number[], folder: string) => string> = {
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
};

const argumentsOf: Record<ProxyName, (file: string, folder: string) => string[]> = {
  haproxy: (file) => ['-f', file, '-db'],
  nginx: (file, folder) => ['-c', file, '-p', folder],
};

/** Starts a proxy in front of instances on this machine, and returns its address. The ID of a request is the name of the proxy. */
export async function startProxy(name: ProxyName, ports: readonly number[]): Promise<string> {
  const folder = temporaryFolder();
  const port = await freePort();
  const file = join(folder, `${name}.conf`);
  writeFileSync(file, configurations[name](port, ports, folder));
  const child = spawn(programOf(name) ?? name, argumentsOf[name](file, folder), { stdio: 'ignore' });
  atEndOfFile(async () => {
    child.kill('SIGTERM');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  });
  const url = `http://127.0.0.1:${port}`;
  const answers = () =>
    fetch(`${url}/health/live`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await answers())) {
    if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}`);
    await sleep(20);
  }
  return url;
}
