// A process of attack.mjs: sends requests in turn over a number of connections, on each as soon as the one before is answered. An attacker
// has a machine of its own, so this one takes what the others leave of the processors.
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { constants, setPriority } from 'node:os';

setPriority(constants.priority.PRIORITY_LOW);
const [{ base, requests, connections, address }] = await once(process, 'message');
const agent = new Agent({ keepAlive: true, maxSockets: connections });
const statuses = {};
let isOver = false;
let sent = 0;

const send = ({ method, path, token, type, accept = '*/*', prefer, body }) =>
  new Promise((resolve) => {
    const headers = {
      accept,
      'x-forwarded-for': address,
      'x-forwarded-proto': 'https',
      ...(prefer !== undefined && { prefer }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': type, 'content-length': Buffer.byteLength(body) }),
    };
    const message = request(base + path, { method, agent, headers }, (response) => {
      response.resume();
      response.on('close', () => resolve(response.statusCode));
    });
    message.on('error', () => resolve('failed'));
    message.end(body);
  });

async function attack() {
  while (!isOver) {
    const status = await send(requests[sent++ % requests.length]);
    statuses[status] = (statuses[status] ?? 0) + 1;
  }
}

process.once('message', () => {
  isOver = true;
});
await Promise.all(Array.from({ length: connections }, attack));
agent.destroy();
process.send(statuses, () => process.disconnect());
