import {
  createClient,
  createGraphiQLFetcher,
  createRoot,
  type DocumentNode,
  type Fetcher,
  GraphiQL,
  HISTORY_PLUGIN,
  Kind,
  parse,
  StrictMode,
  useEffect,
  useState,
} from './graphiql.js';
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

/** The document of a text. Undefined if it has syntax errors, which the service reports. */
function parsed(text: string): DocumentNode | undefined {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Sends the operation of the text, after the login is complete. GraphiQL learns the operations of an edited text a moment later:
 * until then, it gives the name and the kind of an earlier one.
 */
const fetcher: Fetcher = async (parameters, options) => {
  await resumed;
  const document = parsed(parameters.query);
  if (!document) return overHttp(parameters, options);
  const names = document.definitions.flatMap((definition) =>
    definition.kind === Kind.OPERATION_DEFINITION ? [definition.name?.value] : [],
  );
  const { operationName } = parameters;
  const isOwn = operationName && names.includes(operationName);
  return overHttp(
    { ...parameters, operationName: isOwn ? operationName : names.length === 1 ? names[0] : undefined },
    { ...options, documentAST: document },
  );
};

function Login() {
  const [user, setUser] = useState(username());
  useEffect(() => onLoginChange(() => setUser(username())), []);
  return (
    <div className="login">
      <h1>GraphiQL</h1>
      <a href="/">
        <img src="/assets/icon.svg" alt="" width="24" height="24" />
        Realmgate
      </a>
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
