import 'graphiql/setup-workers/vite';
import { createGraphiQLFetcher, type Fetcher, type FetcherParams } from '@graphiql/toolkit';
import { GraphiQL, HISTORY_PLUGIN } from 'graphiql';
import 'graphiql/style.css';
import { Kind, parse } from 'graphql';
import { createClient } from 'graphql-ws';
import { StrictMode, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { authorization, canLogin, login, logout, onLoginChange, resumeLogin, username } from './login.js';
import { shelf } from './shelf.js';
import './style.css';

const welcome = `# Log in with the button at the top, then run this with the round button or Ctrl+Enter.
# "Examples" at the left lists more operations.
query Welcome {
  realm(name: "master") {
    name
    roles(first: 10) {
      totalCount
      edges {
        node {
          name
          description
          isComposite
        }
      }
    }
  }
}
`;

const url = location.origin + location.pathname;

const send: typeof fetch = async (input, init) => {
  const headers = new Headers(init?.headers);
  const token = headers.has('authorization') ? undefined : await authorization();
  if (token) headers.set('authorization', token);
  return fetch(input, { ...init, headers });
};

const overHttp = createGraphiQLFetcher({
  url,
  fetch: send,
  wsClient: createClient({
    url: url.replace(/^http/, 'ws'),
    connectionParams: async () => ({ Authorization: await authorization() }),
  }),
});

/** The names of the operations of a document. Undefined if it has syntax errors, which the service reports. */
function namesIn(document: string): (string | undefined)[] | undefined {
  try {
    return parse(document).definitions.flatMap((definition) =>
      definition.kind === Kind.OPERATION_DEFINITION ? [definition.name?.value] : [],
    );
  } catch {
    return undefined;
  }
}

/** GraphiQL learns the operations of an edited text a moment later. Until then, it sends the name of an earlier one. */
function withOwnName(parameters: FetcherParams): FetcherParams {
  const { query, operationName } = parameters;
  const isOwn = namesIn(query)?.includes(operationName ?? undefined) ?? true;
  return isOwn ? parameters : { ...parameters, operationName: undefined };
}

/** The login is complete before the first request. */
const fetcher: Fetcher = async (parameters, options) => {
  await resumed;
  return overHttp(withOwnName(parameters), options);
};

function Login() {
  const [user, setUser] = useState(username());
  useEffect(() => onLoginChange(() => setUser(username())), []);
  return (
    <div className="login">
      <a href="/">Realmgate</a>
      {canLogin && (
        <>
          {user !== undefined && <span title="Logged in">{user}</span>}
          <button type="button" onClick={() => (user === undefined ? login() : logout())}>
            {user === undefined ? 'Log in' : 'Log out'}
          </button>
        </>
      )}
    </div>
  );
}

interface Operation {
  initialQuery: string;
  initialVariables: string;
}

/** An operation of the address, such as that of a shared link, is opened once and then removed from the address. */
function operationOfAddress(): Operation | undefined {
  const query = new URLSearchParams(location.search);
  const initialQuery = query.get('query');
  if (initialQuery === null) return undefined;
  history.replaceState(null, '', location.pathname);
  return { initialQuery, initialVariables: query.get('variables') ?? '' };
}

/**
 * The operation of the tab that was active before a reload. GraphiQL looks for the tab of the text that was edited last, with
 * the variables that were edited last, and opens a further tab if these belong to different ones.
 */
function operationOfTab(): Operation | undefined {
  try {
    const { tabs, activeTabIndex } = JSON.parse(localStorage.getItem('graphiql:tabState') ?? '');
    const { query, variables } = tabs[activeTabIndex];
    return { initialQuery: query ?? '', initialVariables: variables ?? '' };
  } catch {
    return undefined;
  }
}

const resumed = resumeLogin();
await resumed;
const root = document.getElementById('root');
if (!root) throw new Error('The page has no element with the ID root');
const operation = operationOfAddress() ?? operationOfTab();
createRoot(root).render(
  <StrictMode>
    <GraphiQL
      fetcher={fetcher}
      plugins={[HISTORY_PLUGIN, shelf]}
      defaultQuery={welcome}
      maxHistoryLength={100}
      inputValueDeprecation
      schemaDescription
      {...operation}
    >
      <GraphiQL.Logo>
        <Login />
      </GraphiQL.Logo>
    </GraphiQL>
  </StrictMode>,
);
