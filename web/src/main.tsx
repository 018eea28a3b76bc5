import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App, preload } from '#app/app.tsx';
import { reportError, startErrorReports } from '#api/error-reports.ts';
import { startSession } from '#api/session.ts';
import { startSentences } from '#lib/i18n.ts';
import { followSystemTheme } from '#lib/theme.ts';
import './styles.css';

startErrorReports();
followSystemTheme();
// All at once: the first paint waits for the words only.
void startSession();
const words = startSentences();
preload();
await words;

const root = document.querySelector('#root');
if (root === null) throw new Error('index.html has no #root');
// By itself React prints what it catches. What a boundary caught, the screen in its place tells of.
createRoot(root, {
  onCaughtError: () => undefined,
  onUncaughtError: (error) => void reportError('render', error),
  onRecoverableError: (error) => void reportError('render', error),
}).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
