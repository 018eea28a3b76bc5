/**
 * Sentences: the JSON files of the i18n workspace, cut by page (build/sentences.ts), one language loaded at a time.
 * English defines the keys; a wrong key does not type-check, because the types are those of i18next. Plurals and names
 * are filled in as the server does it: i18next takes 16 kB compressed on every page.
 */
import type app from '@nazar/i18n/en/app.json';
import type problem from '@nazar/i18n/en/problem.json';
import { isolated } from '@nazar/contract/text-direction.ts';
import { sentence, type Source, type Values, type Words } from '@nazar/i18n/sentence.ts';
import type { TFunction } from 'i18next';
import parts from 'virtual:sentences';
import { formatsOf, prepareFormats } from './formats.ts';
import { signal, useSignal } from './signal.ts';
import { store, stored } from './storage.ts';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'app';
    resources: { app: typeof app; problem: typeof problem };
  }
}

export const languages = ['en', 'az', 'ru', 'tr'] as const;
export type Language = (typeof languages)[number];

/** Each language in its own words, for readers who can't read the current one. */
export const languageNames: Record<Language, string> = {
  en: 'English',
  az: 'Azərbaycanca',
  ru: 'Русский',
  tr: 'Türkçe',
};

export type Translate = TFunction<['app', 'problem']>;

const asLanguage = (tag: string | null | undefined): Language | undefined =>
  languages.find((language) => language === tag?.slice(0, 2).toLowerCase());

/** What was chosen here, else what the browser asks for, else English. */
export function preferredLanguage(): Language {
  const browser = navigator.languages.map(asLanguage).find((tag) => tag !== undefined);
  return asLanguage(stored('language')) ?? browser ?? 'en';
}

/** What is known, by language: the groups of app.json, and problem.json under `problem:`. */
const known = new Map<Language, Words>();
/** The parts that pages asked for: another language needs the same ones. */
const wanted = new Set<string>(['start']);

const numbers = new Map<Language, (value: number) => string>();

/** The values that are amounts. Other numbers, such as lines, statuses and positions, stand as they are. */
const amounts = new Set(['count', 'min', 'max', 'done', 'total', 'page', 'pages']);

/** An amount as the language groups it. */
function grouped(language: Language, amount: number): string {
  const found = numbers.get(language) ?? formatsOf(language).number({});
  numbers.set(language, found);
  return found(amount);
}

function translator(language: Language): Translate {
  // React escapes.
  const shown: Source['shown'] = (value, name) =>
    typeof value === 'number' && amounts.has(name)
      ? grouped(language, value)
      : isolated(String(value));
  const t = (key: string, values?: Values): string => {
    const source = { language, words: known.get(language), shown };
    // Only what stands before all else is a namespace: a key may end in `cameras:read`.
    return sentence(source, key.replace(/^(\w+):/, '$1:.'), values) ?? key;
  };
  return t as unknown as Translate;
}

interface Reader {
  readonly t: Translate;
  readonly i18n: { readonly language: Language };
}

const reader = (language: Language): Reader => ({ t: translator(language), i18n: { language } });
const now = signal<Reader>(reader('en'));

export const useTranslation = (): Reader => useSignal(now);
export const currentLanguage = (): Language => now.get().i18n.language;

/** For what is no component. */
export const translate = ((key: never, values: never) => now.get().t(key, values)) as Translate;

async function load(part: string, language: Language): Promise<void> {
  const loaders = parts[part];
  if (loaders === undefined) throw new Error(`no part of the sentences is called ${part}`);
  const { app: words, problem: problems } = (await loaders[language]()).default;
  known.set(language, merge(known.get(language) ?? {}, { ...words, 'problem:': problems }));
}

/** Two parts may each hold a piece of the same group. */
function merge(one: Words, other: Words): Words {
  const both = Object.entries(other).map(([name, below]) => {
    const before = one[name];
    const joined =
      typeof before === 'object' && typeof below === 'object' ? merge(before, below) : below;
    return [name, joined];
  });
  return { ...one, ...(Object.fromEntries(both) as Words) };
}

/** Makes a part ready in the language that is shown, also when that changes meanwhile. */
export async function needSentences(part: string): Promise<void> {
  wanted.add(part);
  let language;
  do {
    language = currentLanguage();
    await load(part, language);
  } while (language !== currentLanguage());
}

/** Shows everything in another language, without remembering it. */
export async function showLanguage(language: Language): Promise<void> {
  await Promise.all([prepareFormats(language), ...[...wanted].map((part) => load(part, language))]);
  now.set(reader(language));
  document.documentElement.lang = language;
}

export const startSentences = (language = preferredLanguage()): Promise<void> =>
  showLanguage(language);

export async function chooseLanguage(language: Language): Promise<void> {
  store('language', language);
  await showLanguage(language);
}
