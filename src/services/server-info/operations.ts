import { arch, platform, release } from 'node:os';
import { memoryUsage, uptime, versions } from 'node:process';
import type { Context } from '../core/context.js';
import { read } from '../core/operation.js';
import { forbidden } from '../core/refusal.js';
import type { Target } from '../core/target.js';
import { administersAny } from '../realms/visible.js';
import { features } from './features.js';

export const serverInfo = read({
  name: 'server.info',
  summary: 'Returns the version, process, and features of the server. Only for administrators of at least one realm.',
  // the roles may be in any realm, so `run` looks
  allow: 'any:caller',
  async run(ctx: Context, _target: Target) {
    if (!(await administersAny(ctx))) throw forbidden();
    return { systemInfo: systemInfo(ctx.services.now()), memoryInfo: memoryInfo(), ...features() };
  },
});

/** The version of the reference whose contract is served: tools adapt their requests to it. */
const contractVersion = '15.0.2';

/** Data of the process, without its location on the machine. */
function systemInfo(now: number) {
  const seconds = Math.floor(uptime());
  const days = Math.floor(seconds / 86_400);
  const hours = Math.floor(seconds / 3600) % 24;
  const minutes = Math.floor(seconds / 60) % 60;
  return {
    serverTime: new Date(now).toUTCString(),
    uptime: `${days} days, ${hours} hours, ${minutes} minutes, ${seconds % 60} seconds`,
    uptimeMillis: seconds * 1000,
    version: contractVersion,
    // a client with fixed classes refuses fields that the reference does not have; tools show these values on any
    // runtime
    javaVersion: versions.node,
    javaRuntime: 'Node.js',
    javaVm: 'V8',
    javaVmVersion: versions.v8,
    javaVendor: 'OpenJS Foundation',
    osName: platform(),
    osArchitecture: arch(),
    osVersion: release(),
    fileEncoding: 'UTF-8',
    userLocale: Intl.DateTimeFormat().resolvedOptions().locale,
    userTimezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  };
}

/** Sizes in bytes, and in words. */
function memoryInfo() {
  const { heapTotal, heapUsed } = memoryUsage();
  const free = heapTotal - heapUsed;
  return {
    total: heapTotal,
    totalFormated: inWords(heapTotal),
    used: heapUsed,
    usedFormated: inWords(heapUsed),
    free,
    freeFormated: inWords(free),
    freePercentage: Math.round((free / heapTotal) * 100),
  };
}

const inWords = (bytes: number): string => `${Math.round(bytes / (1024 * 1024))} MB`;
