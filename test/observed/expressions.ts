import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** The folder of the configuration for Prometheus. */
export const prometheusFolder = 'deploy/prometheus';

interface Rule {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string; runbook: string };
}

/** The alert rules. */
export const alertRules: Rule[] = parse(readFileSync(`${prometheusFolder}/alerts.yaml`, 'utf8')).groups.flatMap(
  (group: { rules: Rule[] }) => group.rules,
);

interface Panel {
  title: string;
  targets?: { expr: string }[];
}

/** The expressions of the dashboard with values for its variables, by the titles of the panels. */
export const dashboardExpressions: { title: string; expression: string }[] = (
  JSON.parse(readFileSync('deploy/grafana/realmgate.json', 'utf8')).panels as Panel[]
).flatMap(({ title, targets = [] }) =>
  targets.map(({ expr }) => ({
    title,
    expression: expr.replaceAll('$__rate_interval', '1m').replaceAll('$instance', '.*'),
  })),
);
