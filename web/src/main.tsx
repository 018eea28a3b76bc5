import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App, preload } from '#app/app.tsx';
import { startErrorReports } from '#api/report-error.ts';
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
// React prints what a boundary catches; the screen in its place reports it. The rest comes as events of the page.
createRoot(root, {
  onCaughtError: () => undefined,
}).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
