/** Light or dark. `public/theme.js` applies the same rule before the first paint. */
import { signal, useSignal } from './signal.ts';
import { store, stored } from './storage.ts';

export type Theme = 'light' | 'dark';

/** The browser's own bar takes the colour of the page's background. */
const barColor: Record<Theme, string> = { light: '#f6f7f9', dark: '#0b0e14' };

function initialTheme(): Theme {
  const kept = stored('theme');
  if (kept === 'light' || kept === 'dark') return kept;
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

const theme = signal<Theme>(initialTheme());

function paint(next: Theme): void {
  document.documentElement.classList.toggle('dark', next === 'dark');
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', barColor[next]);
  theme.set(next);
}

export function chooseTheme(next: Theme): void {
  store('theme', next);
  paint(next);
}

export const useTheme = (): Theme => useSignal(theme);

/** Until the reader chooses a theme, the page follows the system's setting as it changes. */
export function followSystemTheme(): void {
  paint(initialTheme());
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    if (stored('theme') === null) paint(initialTheme());
  });
}
