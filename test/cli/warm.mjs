// Runs `realmgate` again and again in one process, whose modules stay loaded: most of the time of a command is loading them.
// The parent sends { args, env, input } and receives { status, output, errors }.
import { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';

const [, , commandFile] = process.argv;
const command = pathToFileURL(commandFile).href;
const { stdout, stderr } = process;
const exit = process.exit;
let count = 0;

process.on('message', async ({ args, env, input }) => {
  const texts = { output: '', errors: '' };
  let ended;
  const written = (name) => (chunk, encoding, done) => {
    if (ended === undefined) texts[name] += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
    (typeof encoding === 'function' ? encoding : done)?.();
    return true;
  };
  stdout.write = written('output');
  stderr.write = written('errors');
  process.argv = [process.execPath, commandFile, ...args];
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  Object.defineProperty(process, 'stdin', { value: Readable.from([Buffer.from(input)]), configurable: true });
  process.exitCode = undefined;
  process.exit = (status = process.exitCode) => {
    ended ??= Number(status ?? 0); // what comes after is neither printed nor counts
    throw new Error('The command has ended.');
  };
  const failed = (error) => {
    stderr.write(`${error?.stack ?? error}\n`);
    process.exitCode ||= 1;
  };
  process.once('uncaughtException', failed);
  try {
    count += 1;
    // the file of the command is evaluated anew, and what it imports is not
    await import(`${command}?run=${count}`);
  } catch (error) {
    failed(error);
  }
  const status = ended ?? process.exitCode ?? 0;
  process.off('uncaughtException', failed);
  stdout.removeAllListeners('error');
  process.exitCode = undefined;
  process.exit = exit;
  process.send({ status, ...texts });
});
process.once('disconnect', () => exit(0));
