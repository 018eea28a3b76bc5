// Runs before the first paint, as a file of its own because no inline script is allowed (C-701).
// The same rules as src/lib/theme.ts and src/lib/i18n.ts: the stored choice, else the system's.
(() => {
  const root = document.documentElement;
  let theme = null;
  let language = null;
  try {
    theme = localStorage.getItem('theme');
    language = localStorage.getItem('language');
  } catch {
    // Storage may be forbidden; the system's choice still holds.
  }
  const dark =
    theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  root.classList.toggle('dark', dark);
  document
    .querySelector('meta[name="theme-color"]')
    ?.setAttribute('content', dark ? '#0b0e14' : '#f6f7f9');
  const known = ['en', 'az', 'ru', 'tr'];
  const wanted = [language, ...navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase())];
  root.lang = wanted.find((tag) => known.includes(tag)) ?? 'en';
})();
