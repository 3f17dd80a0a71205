import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { settings, settingsInFiles } from '../../src/config/config.js';
import { temporaryFolder } from '../support/database.js';
import { isInstalled } from './linters.js';

// The Helm chart is the manifests of deploy/kubernetes with values. Helm renders it where it is installed.
const chart = 'deploy/helm/realmgate';
const manifests = 'deploy/kubernetes';
const read = (...path: string[]): string => readFileSync(join(...path), 'utf8');
const values = parse(read(chart, 'values.yaml'));
const templates = readdirSync(join(chart, 'templates')).map((file) => read(chart, 'templates', file));
const files = readdirSync(manifests).filter((file) => file !== 'kustomization.yaml');
const kustomization = parse(read(manifests, 'kustomization.yaml'));

// biome-ignore lint/suspicious/noExplicitAny: manifests have no types
type Manifest = any;
const objects: Manifest[] = files.flatMap((file) =>
  parseAllDocuments(read(manifests, file)).map((document) => document.toJS()),
);
const ofKind = (all: readonly Manifest[], kind: string): Manifest => all.find((object) => object.kind === kind);
const literals: [string, string][] = kustomization.configMapGenerator[0].literals.map((text: string) => {
  const at = text.indexOf('=');
  return [text.slice(0, at), text.slice(at + 1)];
});

/** The lines of texts without their indentation, comments, and templates. */
const linesOf = (...texts: string[]): string[] =>
  texts
    .flatMap((text) => text.split('\n').map((line) => line.trim()))
    .filter((line) => line && !/^#|{{|^---/.test(line));

describe('the Helm chart', () => {
  it('has the version of the package', () => {
    const { version } = JSON.parse(read('package.json'));
    expect(parse(read(chart, 'Chart.yaml'))).toMatchObject({ version, appVersion: version });
  });

  it('names settings that there are, and refuses secrets among them', () => {
    const known = new Set(settings.map(({ name }) => name));
    expect(Object.keys(values.settings).filter((name) => !known.has(name))).toEqual([]);
    const schema = JSON.parse(read(chart, 'values.schema.json'));
    expect(schema.properties.settings.propertyNames.not.enum).toEqual(settingsInFiles);
  });

  it('takes SECRETS_KEY from a secret that it does not create', () => {
    const text = templates.join('\n');
    expect(text).not.toMatch(/kind: Secret|rand[A-Z]|gen[A-Z]\w+|uuidv4|lookup/);
    expect(text).toContain('- secretRef: { name: {{ .Values.secretName }} }');
    expect(text.match(/^.*SECRETS_KEY.*$/gm)).toEqual([expect.stringContaining('--from-file=SECRETS_KEY=secrets.key')]);
  });

  it('has a value for each name in its templates, and uses all values', () => {
    const named = templates.flatMap((text) => [...text.matchAll(/\.Values((?:\.\w+)+)/g)].map(([, path]) => path));
    const inIngress = [...read(chart, 'templates/ingress.yaml').matchAll(/ \.(\w+)/g)].map(
      ([, name]) => `.ingress.${name}`,
    );
    const uses = [...named, ...inIngress].filter((path) => !path?.includes('Values'));
    // any setting can be asked for
    const paths = new Set(uses.filter((path) => !/^\.settings\./.test(path ?? '')));
    const own = ['image', 'service', 'ingress', 'podDisruptionBudget'];
    const expected = Object.keys(values).flatMap((name) =>
      own.includes(name) ? Object.keys(values[name]).map((field) => `.${name}.${field}`) : [`.${name}`],
    );
    expect([...paths].filter((path) => path !== '.ingress').sort()).toEqual(expected.sort());
  });

  it('is the manifests, but for its values', () => {
    const ofTemplates = new Set(linesOf(...templates));
    const missing = linesOf(...files.map((file) => read(manifests, file))).filter((line) => !ofTemplates.has(line));
    const { spec } = ofKind(objects, 'Deployment');
    const [container] = spec.template.spec.containers;
    const resources = linesOf(read(manifests, 'deployment.yaml')).filter((line) => /^(requests|limits):/.test(line));
    const byValues = [
      `image: ${values.image.repository}`,
      `replicas: ${values.replicas}`,
      `terminationGracePeriodSeconds: ${values.terminationGracePeriodSeconds}`,
      `minAvailable: ${values.podDisruptionBudget.minAvailable}`,
      `- { name: http, port: ${values.service.port}, targetPort: http }`,
      `- { name: http, containerPort: ${settings.find(({ name }) => name === 'PORT')?.default} }`,
      `- { name: metrics, containerPort: ${values.settings.METRICS_PORT} }`,
      `prometheus.io/port: '${values.settings.METRICS_PORT}'`,
      `- secretRef: { name: ${values.secretName} }`,
      'resources:',
      ...resources,
    ];
    const byName = missing.filter((line) => /(name|app): realmgate\b|^labels:$/.test(line) && !byValues.includes(line));
    expect(missing.filter((line) => !byValues.includes(line) && !byName.includes(line))).toEqual([]);
    expect(values.resources).toEqual(container.resources);
    expect(Object.entries(values.settings).map(([name, value]) => [name, String(value)])).toEqual(literals);
  });
});

describe.skipIf(!isInstalled('helm'))('the Helm chart as Helm renders it', () => {
  const helm = (...args: string[]) => spawnSync('helm', args, { encoding: 'utf8' });
  const render = (...args: string[]): string => {
    const { status, stdout, stderr } = helm('template', 'realmgate', chart, ...args);
    expect(status, stderr).toBe(0);
    return stdout;
  };
  const rendered = (...args: string[]): Manifest[] =>
    parseAllDocuments(render(...args)).map((document) => document.toJS());

  it('has no fault', () => {
    const { status, stdout, stderr } = helm('lint', '--strict', chart);
    expect(status, stdout + stderr).toBe(0);
  });

  it('is the manifests', () => {
    const without = (labels: Record<string, string>) => ({ app: labels.app });
    const all = rendered();
    for (const { metadata, spec } of all) {
      metadata.labels = without(metadata.labels);
      const pod = spec?.template?.metadata;
      if (!pod) continue;
      pod.labels = without(pod.labels);
      delete pod.annotations['checksum/settings'];
      delete spec.template.spec.containers[0].imagePullPolicy;
      spec.template.spec.containers[0].image = values.image.repository;
    }
    delete ofKind(all, 'Service').spec.type;
    ofKind(all, 'PodDisruptionBudget').metadata.labels = undefined;
    expect(ofKind(all, 'ConfigMap').data).toEqual(Object.fromEntries(literals));
    const others = all.filter(({ kind }) => kind !== 'ConfigMap');
    const byKind = (one: Manifest, other: Manifest) => (one.kind < other.kind ? -1 : 1);
    expect(others.sort(byKind)).toEqual([...objects].sort(byKind));
  });

  it('writes settings as texts, and other settings make other pods', () => {
    const file = join(temporaryFolder(), 'values.yaml');
    writeFileSync(file, 'settings: { BODY_LIMIT: 20971520, CONSOLE: false, HOSTS: "a, b", METRICS_PORT: null }');
    const all = rendered('--values', file);
    expect(ofKind(all, 'ConfigMap').data).toMatchObject({ BODY_LIMIT: '20971520', CONSOLE: 'false', HOSTS: 'a, b' });
    const { annotations } = ofKind(all, 'Deployment').spec.template.metadata;
    const before = ofKind(rendered(), 'Deployment').spec.template.metadata.annotations;
    expect(annotations['checksum/settings']).not.toBe(before['checksum/settings']);
    expect(annotations).not.toHaveProperty('prometheus.io/port');
  });

  it.each(['settings.SECRETS_KEY=x', 'secretName=', 'replica=3'])('refuses %s', (value) => {
    const { status, stderr } = helm('template', 'realmgate', chart, '--set', value);
    expect([status, stderr]).toEqual([
      1,
      expect.stringContaining("values don't meet the specifications of the schema"),
    ]);
  });

  it.skipIf(!isInstalled('kubernetes-validate'))('is valid for Kubernetes, with all values too', () => {
    const set = 'ingress.enabled=true,ingress.className=nginx,ingress.tlsSecretName=tls,ingress.annotations.a=b';
    const pods = 'podAnnotations.a=b,nodeSelector.a=b,tolerations[0].key=a,imagePullSecrets={a}';
    for (const args of [[], ['--set', set, '--set', pods]]) {
      const input = render(...args);
      const { status, stdout, stderr } = spawnSync('kubernetes-validate', ['--strict', '-'], {
        input,
        encoding: 'utf8',
      });
      expect(status, stdout + stderr).toBe(0);
    }
  });
});
