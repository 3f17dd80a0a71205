import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { settings } from '../../src/config/config.js';
import { startServer, type TestServer } from '../support/server.js';

const known = new Set(settings.map(({ name }) => name));
const defaultPort = Number(settings.find(({ name }) => name === 'PORT')?.default);
const dockerfile = readFileSync('Dockerfile', 'utf8');

interface Service {
  image: string;
  environment?: Record<string, string>;
  ports?: string[];
  command?: string;
  read_only?: boolean;
}

const composed = (file: string): Record<string, Service> =>
  parse(readFileSync(file, 'utf8'), { merge: true }).services as Record<string, Service>;

const folder = 'deploy/kubernetes';
const objects = readdirSync(folder)
  .filter((file) => file !== 'kustomization.yaml')
  .flatMap((file) => parseAllDocuments(readFileSync(join(folder, file), 'utf8')).map((one) => one.toJS()));
const kustomization = parse(readFileSync(join(folder, 'kustomization.yaml'), 'utf8'));
const ofKind = (kind: string) => objects.find((object) => object.kind === kind);
const pod = ofKind('Deployment').spec.template.spec;
const [container] = pod.containers;

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});

describe.each(['compose.yaml', 'compose.postgresql.yaml'])('%s', (file) => {
  const own = Object.values(composed(file)).filter(({ image }) => image === 'realmgate');

  it('starts the image without rights', () => {
    expect(own.length).toBeGreaterThan(0);
    for (const service of own) expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
  });

  it('names settings that there are', () => {
    for (const { environment = {} } of own) {
      expect(Object.keys(environment).filter((name) => !known.has(name))).toEqual([]);
    }
  });

  it('leads to the port of the service', () => {
    const ports = own.flatMap(({ ports: list = [] }) => list.map((port) => Number(port.split(':').at(-1))));
    const proxied = [...(composed(file).proxy?.command ?? '').matchAll(/--to \w+:(\d+)/g)].map(([, port]) =>
      Number(port),
    );
    expect([...ports, ...proxied].length).toBeGreaterThan(0);
    for (const port of [...ports, ...proxied]) expect(port).toBe(defaultPort);
  });
});

describe('the manifests for Kubernetes', () => {
  it('are all in the kustomization', () => {
    const files = readdirSync(folder).filter((file) => file !== 'kustomization.yaml');
    expect([...kustomization.resources].sort()).toEqual(files.sort());
  });

  it('name settings that there are', () => {
    const literals: string[] = kustomization.configMapGenerator[0].literals;
    expect(literals.map((text) => text.split('=')[0]).filter((name) => !known.has(name ?? ''))).toEqual([]);
    const secrets = [...readFileSync(join(folder, 'kustomization.yaml'), 'utf8').matchAll(/--from-literal=(\w+)/g)];
    expect(secrets.map(([, name]) => name).filter((name) => !known.has(name ?? ''))).toEqual([]);
  });

  it('ask addresses that answer', async () => {
    const probes = [container.startupProbe, container.readinessProbe, container.livenessProbe];
    for (const { httpGet } of probes) {
      expect(httpGet.port).toBe(container.ports[0].name);
      expect((await fetch(server.url + httpGet.path)).status).toBe(200);
    }
    expect(dockerfile).toContain(container.readinessProbe.httpGet.path);
  });

  it('have the port of the service, and lead to its pods', () => {
    expect(container.ports[0].containerPort).toBe(defaultPort);
    expect(dockerfile).toContain(`EXPOSE ${defaultPort}`);
    const { labels } = ofKind('Deployment').spec.template.metadata;
    expect(ofKind('Service').spec.selector).toEqual(labels);
    expect(ofKind('PodDisruptionBudget').spec.selector.matchLabels).toEqual(labels);
    expect(ofKind('Service').spec.ports[0].targetPort).toBe(container.ports[0].name);
  });

  it('run without rights, and go on while they are renewed', () => {
    expect(pod.securityContext.runAsNonRoot).toBe(true);
    expect(container.securityContext).toMatchObject({
      readOnlyRootFilesystem: true,
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
    });
    expect(ofKind('Deployment').spec.strategy.rollingUpdate.maxUnavailable).toBe(0);
    const secondsOf = (setting: string) => Number(settings.find(({ name }) => name === setting)?.default);
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(
      secondsOf('SHUTDOWN_DELAY') + secondsOf('SHUTDOWN_TIMEOUT'),
    );
  });
});
