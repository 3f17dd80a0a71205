// Records what the reference server answers in the live scenarios; the directory is started here.
//
//   node test/contract/record.mjs --base http://127.0.0.1:8180/auth [--part NAME] [--scenario TEXT] [--prefix recorded]
//
// The scenarios whose names have the text are recorded again; the others keep what they have.
import { parseArgs } from 'node:util';
import { AdminLogin } from './player/client.mjs';
import { startDirectory } from './player/directory.mjs';
import { liveParts, loadPart, saveRecordings } from './player/live.mjs';
import { play } from './player/play.mjs';

const { values: options } = parseArgs({
  options: {
    base: { type: 'string' },
    part: { type: 'string', multiple: true },
    scenario: { type: 'string' },
    user: { type: 'string', default: 'admin' },
    password: { type: 'string', default: 'admin' },
    prefix: { type: 'string', default: 'recorded' },
  },
});
if (options.base === undefined) throw new Error('Name the reference server: --base http://127.0.0.1:8180/auth');

const login = new AdminLogin(options);
const directory = await startDirectory();
try {
  for (const part of options.part ?? liveParts()) await recordPart(part);
} finally {
  await directory.stop();
}

async function recordPart(part) {
  const recordings = [];
  for (const [at, { scenario, recorded }] of (await loadPart(part)).entries()) {
    let steps = recorded;
    if (!options.scenario || scenario.name.includes(options.scenario)) {
      const realm = `${options.prefix}-${part}-${at + 1}`;
      const played = await play(scenario, { options: { ...options, mount: 'admin' }, login, realm, directory });
      steps = played.map(({ title, note, recording, problems }, number) => {
        for (const problem of problems) console.log(`${scenario.name}: step ${number + 1}, ${title}: ${problem}`);
        return { step: title, ...(note && { note }), ...(recording ?? { status: 0 }) };
      });
    }
    recordings.push({ scenario: scenario.name, steps });
  }
  saveRecordings(part, recordings);
  console.log(`${part}: ${recordings.reduce((sum, { steps }) => sum + steps.length, 0)} steps`);
}
