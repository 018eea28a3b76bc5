/**
 * The sentence for a problem or a refused field, and the words the server writes into entries of its own,
 * in the reader's language. Every text comes from `i18n/<language>/`; the server itself holds none.
 */
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
import { sentence, type Words } from '@nazar/i18n/sentence.ts';
import type { z } from 'zod/mini';
import type { ProblemParams, RefusedFile } from '#lib/problem.ts';

const problems: Record<Language, Words> = { en, az, ru, tr };
const words: Record<Language, Words> = { en: enWords, az: azWords, ru: ruWords, tr: trWords };

/** Answers are JSON, not HTML: names are not escaped, but cannot change the direction of the text beside them. */
const shown = (value: string | number): string => isolated(String(value));

const problemText = (language: Language, key: string, params: ProblemParams): string =>
  sentence({ language, words: problems[language], shown }, key, params) ?? key;

/** Undefined where `server.json` has no such sentence. */
const serverText = (
  language: Language,
  key: string,
  params: ProblemParams = {},
): string | undefined => sentence({ language, words: words[language], shown }, key, params);

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
  return problemText(language, `problem.${code}`, params);
}

/** Which file was refused, and why; the file is named by its number if it has no name. */
export function fileSentence(language: Language, { index, name, why }: RefusedFile): string {
  const file = name === '' ? String(index + 1) : name;
  const reason = problemSentence(language, why.code, why.params);
  const key = 'file.refused';
  return serverText(language, key, { name: file, reason }) ?? key;
}

/** Words of `server.json`, e.g. the name of a camera that the server itself adds, or the text it draws on a face. */
export function serverWords(
  language: Language,
  key: `demo.${keyof typeof enWords.demo}` | `face.${keyof typeof enWords.face}`,
  params: ProblemParams = {},
): string {
  return serverText(language, key, params) ?? key;
}

/** What an alert is about, for its sentences. */
export interface AlertAbout {
  readonly camera: string;
  /** The person, as the reader may know them. */
  readonly name: string;
  /** How many different people. */
  readonly people: number;
  /** How many visits, or repetitions. */
  readonly count: number;
}

/** The title and the message of an alert; `about`: its kind, or the kind of its warning. */
export function alertWords(
  language: Language,
  about: AlertWords,
  { people, count, ...names }: AlertAbout,
): { readonly title: string; readonly message: string } {
  const text = (part: 'title' | 'message', counted: number): string => {
    const key = `alert.${about}.${part}`;
    return serverText(language, key, { ...names, count: counted }) ?? key;
  };
  return { title: text('title', people), message: text('message', count) };
}

/** Title and message of a notification about no alert, e.g. `export_done`. Its camera has a name if the reader sees it. */
export function notificationWords(
  language: Language,
  kind: keyof typeof enWords.notification,
  { camera, name }: { readonly camera: string | null; readonly name: string },
): { readonly title: string; readonly message: string } {
  const text = (part: string): string | undefined =>
    serverText(language, `notification.${kind}.${part}`, { camera: camera ?? '', name });
  const named = camera === null ? undefined : text('named');
  return { title: named ?? text('title') ?? kind, message: text('message') ?? kind };
}

/** What a push message says beside the words of what happened. */
export const pushWords = (
  language: Language,
  key: keyof typeof enWords.push | 'summary',
  params: ProblemParams = {},
): string => serverText(language, `push.${key}`, params) ?? key;

export type AlertWords = keyof typeof enWords.alert;

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
  const named = object && namedActivity(language, action, object);
  return named ?? serverText(language, `activity.${action}`) ?? action;
}

function namedActivity(
  language: Language,
  action: string,
  { name, to }: DeedObject,
): string | undefined {
  const key = `activityNamed.${action}`;
  const withValue = to === null ? undefined : serverText(language, `${key}_${to}`, { name });
  return withValue ?? serverText(language, key, { name });
}

/** How the test of a camera ended. */
export function connectionSentence(
  language: Language,
  outcome: ConnectionOutcome,
  name: string,
): string {
  const key = `connection.${outcome}`;
  return serverText(language, key, { name }) ?? key;
}

/** One sentence for one fault of one field. Needs `reportInput` of the parse. */
export function fieldSentence(language: Language, issue: z.core.$ZodIssue): string {
  const { fault, params } = describeIssue(issue, issue.input);
  return problemText(language, `field.${fault}`, params);
}
