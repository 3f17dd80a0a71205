import '@mantine/core/styles.css';
import './layout.css';
import { MantineProvider } from '@mantine/core';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Provider } from 'urql';
import { router } from './router.js';
import { graphql } from './session/graphql.js';
import { begin, SignInRefused } from './session/sign-in.js';
import { Notifications } from './shell/notify.js';
import { Refused, SessionGate } from './shell/session-gate.js';
import { withTexts } from './text/catalogue.js';
import { contrast, theme } from './theme.js';

const begun = await withTexts(
  begin().catch((error: unknown) => {
    if (error instanceof SignInRefused) return error;
    throw error;
  }),
);
if (typeof begun === 'string') history.replaceState(history.state, '', begun);
const root = document.getElementById('root');
if (!root) throw new Error('The page has no element with the ID root');
createRoot(root).render(
  <StrictMode>
    <MantineProvider theme={theme} cssVariablesResolver={contrast} defaultColorScheme="auto">
      {typeof begun === 'string' ? (
        <>
          <Notifications />
          <Provider value={graphql}>
            <SessionGate>
              <RouterProvider router={router} />
            </SessionGate>
          </Provider>
        </>
      ) : (
        <Refused refusal={begun} />
      )}
    </MantineProvider>
  </StrictMode>,
);
