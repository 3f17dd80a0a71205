import { beforeAll, expect, it } from 'vitest';
import { type Caller, startWithRealm } from '../support/fixture.js';

// Variables that are not of their types are errors with a code and the path of the field, and without the values.
let admin: Caller;

beforeAll(async () => {
  ({ admin } = await startWithRealm({ realm: 'variables' }));
});

const importing = 'mutation ($input: RealmImportInput!) { realmImport(input: $input) { userErrors { code } } }';
const policies = 'mutation ($input: ClientCreateInput!) { clientCreate(input: $input) { userErrors { code } } }';

it.each([
  [importing, { representation: {} }, 'input.representation', /Exactly one key must be specified for OneOf type/],
  [importing, { representation: { json: null } }, 'input.representation.json', /must be non-null/],
  [importing, { representation: { json: {}, upload: null } }, 'input.representation', /Exactly one key/],
  [
    importing,
    { representation: { json: {}, 'hidden in a name': 1 } },
    'input.representation',
    /has a field that the type JsonFileInput does not define/,
  ],
  [
    importing,
    { representation: { json: {}, isEnabled: 'hidden' } },
    'input.representation.isEnabled',
    /^`input.representation.isEnabled` is not a field of the type JsonFileInput$/,
  ],
  [importing, {}, 'input', /Field "representation" of required type "JsonFileInput!" was not provided/],
  [importing, undefined, 'input', /was not provided/],
  [importing, null, 'input', /must not be null/],
  [
    policies,
    { realm: 'r', clientId: 'c', redirectUris: ['https://a.example', { secret: 'hidden"; at "input.realm"; ' }] },
    'input.redirectUris.1',
    /String cannot represent a non string value/,
  ],
])('%s of %j is refused at %s', async (query, input, field, message) => {
  const { data, errors } = await admin.graphql(query, { input });
  expect(data).toBeUndefined();
  expect(errors).toMatchObject([{ message: expect.stringMatching(message), extensions: { code: 'INVALID', field } }]);
  expect(JSON.stringify(errors)).not.toContain('hidden');
});
