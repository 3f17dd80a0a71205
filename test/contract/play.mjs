// Plays recorded scenarios against a running server and compares its answers with the recorded ones.
//
//   node test/contract/play.mjs --base http://127.0.0.1:8080/auth [--mount documented|admin] [--group NAME]
//     [--scenario TEXT] [--user admin] [--password admin] [--prefix contract] [--lines 20] [--report FILE]
//
// The group `user-storage-live` needs OpenLDAP, which is started here. The last line is `N passed, N failed`.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { AdminLogin } from './player/client.mjs';
import { startDirectory } from './player/directory.mjs';
import { groupNames, loadGroup } from './player/groups.mjs';
import { liveGroup, loadLive } from './player/live.mjs';
import { play } from './player/play.mjs';

const { values } = parseArgs({
  options: {
    base: { type: 'string', default: 'http://127.0.0.1:8080/auth' },
    mount: { type: 'string', default: 'documented' },
    group: { type: 'string', multiple: true },
    scenario: { type: 'string' },
    user: { type: 'string', default: 'admin' },
    password: { type: 'string', default: 'admin' },
    prefix: { type: 'string', default: 'contract' },
    lines: { type: 'string', default: '20' },
    report: { type: 'string' },
  },
});
const options = { ...values, base: values.base.replace(/\/+$/, ''), lines: Number(values.lines) };

const login = new AdminLogin(options);
const groups = [];
for (const name of options.group ?? groupNames()) groups.push(await playGroup(name));
const total = (field) => groups.reduce((sum, group) => sum + group[field], 0);
if (options.report) writeFileSync(options.report, JSON.stringify({ groups }));
console.log(`${total('passed')} passed, ${total('failed')} failed`);
process.exitCode = total('failed') > 0 ? 1 : 0;

/** Plays the scenarios of one group and prints what differs. */
async function playGroup(group) {
  if (group !== liveGroup) return playScenarios(group, loadGroup(group));
  const directory = await startDirectory();
  try {
    return await playScenarios(group, await loadLive(), directory);
  } finally {
    await directory.stop();
  }
}

async function playScenarios(group, scenarios, directory) {
  const result = { group, passed: 0, failed: 0, scenarios: [] };
  for (const [at, { scenario, recorded }] of scenarios.entries()) {
    if (options.scenario && !scenario.name.includes(options.scenario)) continue;
    const realm = `${options.prefix}-${group}-${at + 1}`;
    const steps = await play(scenario, { options, login, realm, recorded, directory });
    for (const { problems } of steps) result[problems.length > 0 ? 'failed' : 'passed'] += 1;
    result.scenarios.push({ name: scenario.name, steps });
    steps.forEach((step, number) => {
      print(`${group} / ${scenario.name}: step ${number + 1}, ${step.title}`, step.problems);
    });
  }
  console.log(`${group}: ${result.passed} passed, ${result.failed} failed`);
  return result;
}

function print(title, problems) {
  if (problems.length === 0) return;
  console.log(`\n${title}`);
  for (const line of problems.slice(0, options.lines)) console.log(`    ${line}`);
  if (problems.length > options.lines) console.log(`    … ${problems.length - options.lines} more`);
}
