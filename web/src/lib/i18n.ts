/**
 * Sentences: i18next over the JSON files of the i18n workspace, one language loaded at a time. English
 * defines the keys; a wrong key does not type-check.
 */
import type app from '@nazar/i18n/en/app.json';
import type problem from '@nazar/i18n/en/problem.json';
import { createInstance } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { store, stored } from './storage.ts';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'app';
    resources: { app: typeof app; problem: typeof problem };
  }
}

export const i18next = createInstance();

export const languages = ['en', 'az', 'ru', 'tr'] as const;
export type Language = (typeof languages)[number];

/** Each language in its own words, for whoever cannot read the current one. */
export const languageNames: Record<Language, string> = {
  en: 'English',
  az: 'Azərbaycanca',
  ru: 'Русский',
  tr: 'Türkçe',
};

type Sentences = { readonly app: object; readonly problem: object };

async function load(
  words: Promise<{ default: object }>,
  problems: Promise<{ default: object }>,
): Promise<Sentences> {
  const [app, problem] = await Promise.all([words, problems]);
  return { app: app.default, problem: problem.default };
}

const loaders: Record<Language, () => Promise<Sentences>> = {
  en: () => load(import('@nazar/i18n/en/app.json'), import('@nazar/i18n/en/problem.json')),
  az: () => load(import('@nazar/i18n/az/app.json'), import('@nazar/i18n/az/problem.json')),
  ru: () => load(import('@nazar/i18n/ru/app.json'), import('@nazar/i18n/ru/problem.json')),
  tr: () => load(import('@nazar/i18n/tr/app.json'), import('@nazar/i18n/tr/problem.json')),
};

const asLanguage = (tag: string | null | undefined): Language | undefined =>
  languages.find((language) => language === tag?.slice(0, 2).toLowerCase());

/** LNG-002: what was chosen here, else what the browser asks for, else English. */
export function preferredLanguage(): Language {
  const browser = navigator.languages.map(asLanguage).find((tag) => tag !== undefined);
  return asLanguage(stored('language')) ?? browser ?? 'en';
}

export const currentLanguage = (): Language => asLanguage(i18next.language) ?? 'en';

export async function startSentences(language = preferredLanguage()): Promise<void> {
  const sentences = await loaders[language]();
  await i18next.use(initReactI18next).init({
    lng: language,
    fallbackLng: false,
    ns: ['app', 'problem'],
    defaultNS: 'app',
    resources: { [language]: { ...sentences } },
    // React escapes.
    interpolation: { escapeValue: false },
  });
  document.documentElement.lang = language;
}

/** Shows everything in another language, without remembering it. */
export async function showLanguage(language: Language): Promise<void> {
  if (!i18next.hasResourceBundle(language, 'app')) {
    const { app, problem } = await loaders[language]();
    i18next.addResourceBundle(language, 'app', app);
    i18next.addResourceBundle(language, 'problem', problem);
  }
  await i18next.changeLanguage(language);
  document.documentElement.lang = language;
}

/** LNG-003. */
export async function chooseLanguage(language: Language): Promise<void> {
  store('language', language);
  await showLanguage(language);
}
