/**
 * The sentence for a problem or a refused field, and the words the server writes into entries of its own,
 * in the reader's language. Every text comes from `i18n/<language>/`; the server itself holds none.
 */
import { createInstance, type i18n } from 'i18next';
import { languages, type Language } from '@nazar/contract/accounts.ts';
import { describeIssue } from '@nazar/contract/issue.ts';
import type { ConnectionOutcome } from '@nazar/contract/probing.ts';
import { isolated } from '@nazar/contract/text-direction.ts';
import az from '@nazar/i18n/az/problem.json' with { type: 'json' };
import en from '@nazar/i18n/en/problem.json' with { type: 'json' };
import ru from '@nazar/i18n/ru/problem.json' with { type: 'json' };
import tr from '@nazar/i18n/tr/problem.json' with { type: 'json' };
import azWords from '@nazar/i18n/az/server.json' with { type: 'json' };
import enWords from '@nazar/i18n/en/server.json' with { type: 'json' };
import ruWords from '@nazar/i18n/ru/server.json' with { type: 'json' };
import trWords from '@nazar/i18n/tr/server.json' with { type: 'json' };
import type { z } from 'zod/mini';
import type { ProblemParams, RefusedFile } from '#lib/problem.ts';

const translator: i18n = createInstance();
await translator.init({
  lng: 'en',
  fallbackLng: 'en',
  supportedLngs: [...languages],
  ns: ['problem', 'server'],
  defaultNS: 'problem',
  // The output is JSON, not HTML: names are not escaped, and cannot change the direction of text beside them.
  interpolation: { escape: isolated },
  resources: {
    en: { problem: en, server: enWords },
    az: { problem: az, server: azWords },
    ru: { problem: ru, server: ruWords },
    tr: { problem: tr, server: trWords },
  },
});

/** The first language of `Accept-Language` that we speak, else English. Quality values decide the order. */
export function readerLanguage(acceptLanguage: string | undefined): Language {
  const wanted = (acceptLanguage ?? '')
    .slice(0, 200)
    .split(',')
    .map((part) => {
      const [tag = '', ...parameters] = part.trim().split(';');
      const quality = parameters.find((parameter) => parameter.trim().startsWith('q='));
      return { tag: tag.slice(0, 2).toLowerCase(), quality: Number(quality?.trim().slice(2) ?? 1) };
    })
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality);
  for (const { tag } of wanted) {
    const language = languages.find((known) => known === tag);
    if (language) return language;
  }
  return 'en';
}

export function problemSentence(language: Language, code: string, params: ProblemParams): string {
  return translator.t(`problem.${code}`, { lng: language, ...params });
}

/** Which file was refused, and why; the file is named by its number if it has no name. */
export function fileSentence(language: Language, { index, name, why }: RefusedFile): string {
  const shown = name === '' ? String(index + 1) : name;
  const reason = problemSentence(language, why.code, why.params);
  return translator.t('file.refused', { lng: language, ns: 'server', name: shown, reason });
}

/** Words of `server.json`, e.g. the name of a camera that the server itself adds, or the text it draws on a face. */
export function serverWords(
  language: Language,
  key: `demo.${keyof typeof enWords.demo}` | `face.${keyof typeof enWords.face}`,
  params: ProblemParams = {},
): string {
  return translator.t(key, { lng: language, ns: 'server', ...params });
}

/** The object of an action, as its reader may know it. */
export interface DeedObject {
  readonly name: string;
  /** The value it was set to, if there is a sentence for that: "Set Entrance to inactive". */
  readonly to: string | null;
}

/** What was done, e.g. `camera.added`; an action without a sentence shows its own name. */
export function activitySentence(
  language: Language,
  action: string,
  object: DeedObject | null = null,
): string {
  const named = `activityNamed.${action}`;
  const to = { lng: language, ns: 'server' };
  if (object && translator.exists(named, to)) {
    const { name, to: context } = object;
    return translator.t(named, { ...to, name, ...(context !== null && { context }) });
  }
  const key = `activity.${action}`;
  return translator.exists(key, to) ? translator.t(key, to) : action;
}

/** How the test of a camera ended. */
export function connectionSentence(
  language: Language,
  outcome: ConnectionOutcome,
  name: string,
): string {
  return translator.t(`connection.${outcome}`, { lng: language, ns: 'server', name });
}

/** One sentence for one fault of one field. Needs `reportInput` of the parse. */
export function fieldSentence(language: Language, issue: z.core.$ZodIssue): string {
  const { fault, params } = describeIssue(issue, issue.input);
  return translator.t(`field.${fault}`, { lng: language, ...params });
}
