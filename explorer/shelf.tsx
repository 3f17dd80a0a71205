import text from './examples.graphql?raw';
import { type Example, readExamples, type StartingPoints, startingPoints, variablesOf } from './examples.js';
import { useEffect, useGraphiQL, useGraphiQLActions, useState } from './graphiql.js';
import { authorization } from './login.js';

const areas = Map.groupBy(readExamples(text), ({ area }) => area);

/** The plugin of GraphiQL that lists example operations by area, and opens them in new tabs. */
export const shelf = { title: 'Examples', icon: Icon, content: Shelf };

function Icon() {
  return (
    <svg viewBox="0 0 24 24" fill="none" stroke="currentColor" strokeWidth="1.5" role="img" aria-label="Examples">
      <path d="M4 4h4v16H4zM9.5 4h4v16h-4zM15 5l3.6-1 4 15-3.6 1z" />
    </svg>
  );
}

function Shelf() {
  const { addTab, setVisiblePlugin } = useGraphiQLActions();
  const { queryEditor, variableEditor } = useGraphiQL(({ queryEditor, variableEditor }) => ({
    queryEditor,
    variableEditor,
  }));
  const [search, setSearch] = useState('');
  const [opening, setOpening] = useState<{ document: string; variables: object }>();
  const open = async ({ document }: Example) =>
    setOpening({ document, variables: variablesOf(document, await requestStartingPoints()) });
  // the editors can come later than the list of examples
  useEffect(() => {
    if (!opening || !queryEditor || !variableEditor) return;
    const { document, variables } = opening;
    setOpening(undefined);
    addTab();
    queryEditor.setValue(document);
    variableEditor.setValue(Object.keys(variables).length > 0 ? JSON.stringify(variables, null, 2) : '');
    // in a narrow window the shelf covers the editor, see style.css
    if (matchMedia('(max-width: 700px)').matches) setVisiblePlugin(null);
  }, [opening, queryEditor, variableEditor, addTab, setVisiblePlugin]);
  const matches = ({ area, name, description }: Example) =>
    `${area} ${name} ${description}`.toLowerCase().includes(search.toLowerCase());
  return (
    <section className="shelf" aria-label="Examples">
      <h2>Examples</h2>
      <input
        type="search"
        placeholder="Search examples"
        aria-label="Search examples"
        value={search}
        onChange={(event) => setSearch(event.target.value)}
      />
      {[...areas].map(([area, examples]) => {
        const shown = examples.filter(matches);
        if (shown.length === 0) return null;
        return (
          <div key={area}>
            <h3>{area}</h3>
            {shown.map((example) => (
              <button type="button" key={example.name} onClick={() => open(example)}>
                <strong>{example.name}</strong>
                <span>{example.description}</span>
              </button>
            ))}
          </div>
        );
      })}
    </section>
  );
}

/** The first objects of the realm; undefined without a login or a permission. */
async function requestStartingPoints(): Promise<StartingPoints | undefined> {
  const token = await authorization();
  if (!token) return undefined;
  const response = await fetch(location.pathname, {
    method: 'POST',
    headers: { authorization: token, 'content-type': 'application/json' },
    body: JSON.stringify({ query: startingPoints }),
  });
  const { data } = (await response.json()) as { data?: StartingPoints | { realm: null } | null };
  return data?.realm ? data : undefined;
}
