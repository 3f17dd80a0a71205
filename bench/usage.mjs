import { readFileSync } from 'node:fs';

/**
 * CPU in milliseconds that a process has taken, and its present and highest memory in MiB.
 * @param {number} pid
 */
export function usageOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const mebibytes = (name) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)[1]) / 1024;
  return { cpu: (Number(fields[11]) + Number(fields[12])) * 10, rss: mebibytes('VmRSS'), peak: mebibytes('VmHWM') };
}
