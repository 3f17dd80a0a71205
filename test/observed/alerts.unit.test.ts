import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { hasCommands } from '../documents/clone.js';
import { alertRules, prometheusFolder } from './expressions.js';

describe('the alert rules', () => {
  it.each(alertRules.map((rule) => [rule.alert, rule] as const))(
    '%s has an expression and a runbook',
    (_name, rule) => {
      expect(rule.expr).toMatch(/\w/);
      expect(rule.annotations.summary).toMatch(/\.$/);
      expect(rule.annotations.runbook).toMatch(/\.$/);
    },
  );

  it('are each tested', () => {
    const tests = readFileSync(`${prometheusFolder}/alerts.test.yaml`, 'utf8');
    expect(alertRules.length).toBeGreaterThan(0);
    expect(alertRules.filter(({ alert }) => !tests.includes(`alertname="${alert}"`))).toEqual([]);
  });

  it('are listed in docs/observe.md with their severity', () => {
    const rows = readFileSync('docs/observe.md', 'utf8').matchAll(/^\| `(Realmgate\w+)` \| (\w+) \|/gm);
    const listed = Object.fromEntries([...rows].map(([, alert, severity]) => [alert, severity]));
    expect(listed).toEqual(Object.fromEntries(alertRules.map(({ alert, labels }) => [alert, labels.severity])));
  });

  it.skipIf(!hasCommands('promtool'))('pass promtool (of the Debian package prometheus)', () => {
    const promtool = (...args: string[]) => execFileSync('promtool', args, { encoding: 'utf8' });
    expect(promtool('check', 'config', `${prometheusFolder}/prometheus.yaml`)).toContain('SUCCESS');
    expect(promtool('check', 'rules', `${prometheusFolder}/alerts.yaml`)).toContain('SUCCESS');
    expect(promtool('test', 'rules', `${prometheusFolder}/alerts.test.yaml`)).toContain('SUCCESS');
  });
});
