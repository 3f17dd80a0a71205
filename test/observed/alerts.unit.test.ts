import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

interface Rule {
  alert: string;
  expr: string;
  annotations: { summary: string; runbook: string };
}

const folder = 'deploy/prometheus';
const rules: Rule[] = parse(readFileSync(`${folder}/alerts.yaml`, 'utf8')).groups.flatMap(
  (group: { rules: Rule[] }) => group.rules,
);

const hasPromtool = (): boolean => {
  try {
    execFileSync('promtool', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

describe('the alert rules', () => {
  it.each(rules.map((rule) => [rule.alert, rule] as const))('%s has an expression and a runbook', (_name, rule) => {
    expect(rule.expr).toMatch(/\w/);
    expect(rule.annotations.summary).toMatch(/\.$/);
    expect(rule.annotations.runbook).toMatch(/\.$/);
  });

  it('are each tested', () => {
    const tests = readFileSync(`${folder}/alerts.test.yaml`, 'utf8');
    expect(rules.length).toBeGreaterThan(0);
    expect(rules.filter(({ alert }) => !tests.includes(`alertname="${alert}"`))).toEqual([]);
  });

  it.skipIf(!hasPromtool())('pass promtool (of the Debian package prometheus)', () => {
    const promtool = (...args: string[]) => execFileSync('promtool', args, { encoding: 'utf8' });
    expect(promtool('check', 'rules', `${folder}/alerts.yaml`)).toContain('SUCCESS');
    expect(promtool('test', 'rules', `${folder}/alerts.test.yaml`)).toContain('SUCCESS');
  });
});
