import type { IncomingMessage } from 'node:http';
import { members } from '../../services/core/json.js';
import { checkJsonText } from '../../services/core/json-file.js';

/** The parameters of a GraphQL request, as they were sent. */
export interface Parameters {
  query?: unknown;
  documentId?: unknown;
  operationName?: unknown;
  variables?: unknown;
  extensions?: unknown;
}

/** The parameters of an HTTP request, whose `message` has its parsed body, if any. */
export function parametersOf(message: IncomingMessage & { body?: unknown }): Parameters {
  if (message.method !== 'GET' && message.method !== 'HEAD') return members(message.body);
  const parameters = new URLSearchParams((message.url ?? '').split('?')[1] ?? '');
  for (const name of ['variables', 'extensions']) checkJsonText(parameters.get(name) ?? '');
  return { ...Object.fromEntries(parameters), extensions: parsed(parameters.get('extensions')) };
}

function parsed(text: string | null): unknown {
  try {
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
