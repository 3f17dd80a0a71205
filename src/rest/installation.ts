import { clientById } from '../services/clients/locate.js';
import { installation } from '../services/installation/operations.js';
import { Installation } from './answer-shapes.js';
import { child } from './place.js';
import { realm } from './realm.js';
import { get } from './table.js';

const provider = child(realm, '/clients/{id}/installation/providers/{providerId}', (ctx, parent, { id = '' }) =>
  clientById(ctx, parent, id),
);

/** What adapters of clients are set up with. */
export const installationRoutes = [
  get(provider, installation, {
    returns: Installation,
    media: '*/*',
    file: true,
    input: ({ params }) => ({ providerId: params.providerId }),
    answer: ({ provider: { mediaType }, content }) =>
      typeof content === 'string'
        ? { status: 200, type: 'text/plain;charset=UTF-8', body: content }
        : { status: 200, type: mediaType, body: Buffer.from(content) },
  }),
].flat();
