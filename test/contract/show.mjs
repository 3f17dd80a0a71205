// Prints recorded scenarios: each request with the answer of the reference server.
//
//   node test/contract/show.mjs                       the groups with the names of their scenarios
//   node test/contract/show.mjs roles composites      the scenarios of a group whose names contain a text
import { groupNames, loadGroup } from './player/groups.mjs';

const [group, text = ''] = process.argv.slice(2);

if (group === undefined) {
  for (const name of groupNames()) {
    console.log(name);
    for (const { scenario } of loadGroup(name)) console.log(`    ${scenario.name} (${scenario.steps.length} steps)`);
  }
} else {
  for (const { scenario, recorded } of loadGroup(group)) {
    if (!scenario.name.includes(text)) continue;
    const { steps, ...about } = scenario;
    console.log(JSON.stringify(about, null, 2));
    steps.forEach((request, at) => {
      const { step, note, ...answer } = recorded[at] ?? {};
      console.log(`\n--- step ${at + 1}`);
      console.log(JSON.stringify({ request, answer }, null, 2));
    });
  }
}
