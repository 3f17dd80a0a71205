// Records the answers of the reference server to `steps.json`:
//
//   node test/account/recorded/record.mjs http://127.0.0.1:8180/auth > test/account/recorded/answers.json
import { play } from './play.mjs';

const [, , base] = process.argv;
if (base === undefined) throw new Error('Name the reference server: http://127.0.0.1:8180/auth');
console.log(JSON.stringify(await play(base, { username: 'admin', password: 'admin' }), null, 1));
