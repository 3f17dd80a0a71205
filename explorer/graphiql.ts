// What the page uses of packages. `node tools/pack-graphiql.mjs` bundles it into graphiql.br, so that `npm start` installs none of them.
import 'graphiql/setup-workers/vite';
import 'graphiql/style.css';

export { useGraphiQL, useGraphiQLActions } from '@graphiql/react';
export { createGraphiQLFetcher, type Fetcher } from '@graphiql/toolkit';
export { GraphiQL, HISTORY_PLUGIN } from 'graphiql';
export { type DocumentNode, Kind, parse } from 'graphql';
export { createClient } from 'graphql-ws';
export { StrictMode, useEffect, useState } from 'react';
// what the compiler of JSX imports
export { Fragment, jsx, jsxs } from 'react/jsx-runtime';
export { createRoot } from 'react-dom/client';
