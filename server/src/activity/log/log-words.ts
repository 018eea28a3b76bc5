/**
 * The words of the activity log in the reader's language: sentences, kinds, types, fields and values from a list. The
 * pages show the same words from `app.json`; here a search compares them.
 */
import type { Language } from '@nazar/contract/accounts.ts';
import { activityFields, activityValues, fieldOfDeed } from '@nazar/contract/activity-fields.ts';
import { foldedText } from '@nazar/contract/folded-text.ts';
import az from '@nazar/i18n/az/app.json' with { type: 'json' };
import en from '@nazar/i18n/en/app.json' with { type: 'json' };
import ru from '@nazar/i18n/ru/app.json' with { type: 'json' };
import tr from '@nazar/i18n/tr/app.json' with { type: 'json' };
import { activitySentence } from '#http/sentences.ts';
import { actions, type Action } from '../entry.ts';
import { kindOf, levelOf } from './kinds.ts';

const app = { az, en, ru, tr } as const;

/** A sentence around the name of an object; `to`: the one value for which this sentence is used. */
export interface NamedSentence {
  readonly action: Action;
  readonly before: string;
  readonly after: string;
  readonly to: string | null;
}

/** A text that an entry shows, and the recorded value behind it. */
interface Worded<T> {
  readonly text: string;
  readonly recorded: T;
}

export interface Token {
  /** In the form of `audit_entry.tokens`. */
  readonly token: string;
  /** Only for these actions; null: for all. */
  readonly actions: readonly string[] | null;
}

export interface LogWords {
  readonly actions: readonly Worded<Action>[];
  readonly types: readonly Worded<string>[];
  readonly tokens: readonly Worded<Token>[];
  readonly named: readonly NamedSentence[];
}

/** A placeholder for a name in a sentence; it occurs in no text. */
const nameMark = '\ue000';
const statuses = Object.keys(activityValues.status);

const known = new Map<Language, LogWords>();

/** Folded, and made once per language. */
export function logWords(language: Language): LogWords {
  const made = known.get(language) ?? makeWords(language);
  known.set(language, made);
  return made;
}

function makeWords(language: Language): LogWords {
  const { activityLog } = app[language];
  const textOf = (action: Action): string[] => [
    activitySentence(language, action),
    action,
    activityLog.actions[kindOf(action)],
    ...(levelOf(action) === 'warning' ? [activityLog.warningLevel] : []),
  ];
  return {
    actions: actions.flatMap((action) => worded(textOf(action), action)),
    types: Object.entries(activityLog.types).flatMap(([type, text]) => worded([text, type], type)),
    tokens: [...fieldTokens(language), ...valueTokens(language)],
    named: actions.flatMap((action) => namedSentences(language, action)),
  };
}

const worded = <T>(texts: readonly string[], recorded: T): Worded<T>[] =>
  texts.map((text) => ({ text: foldedText(text), recorded }));

function fieldTokens(language: Language): Worded<Token>[] {
  return Object.entries(activityFields).flatMap(([field, key]) =>
    worded([textAt(language, key)], { token: field, actions: null }),
  );
}

function valueTokens(language: Language): Worded<Token>[] {
  const { yes, no } = app[language].activityLog;
  const flags = Object.keys(activityFields).flatMap((field) => [
    ...worded([yes], { token: `${field}=true`, actions: null }),
    ...worded([no], { token: `${field}=false`, actions: null }),
  ]);
  const coded = Object.entries(activityValues).flatMap(([field, values]) => {
    const own = actions.filter((action) => fieldOfDeed[action] === field);
    return Object.entries(values).flatMap(([value, key]) => {
      const text = [textAt(language, key)];
      const named = worded<Token>(text, { token: `${field}=${value}`, actions: null });
      if (own.length === 0) return named;
      return [...named, ...worded<Token>(text, { token: `=${value}`, actions: own })];
    });
  });
  return [...flags, ...coded];
}

/** Empty if the action's sentence does not name its object. */
function namedSentences(language: Language, action: Action): NamedSentence[] {
  const values = fieldOfDeed[action] === 'status' ? [null, ...statuses] : [null];
  return values.flatMap((to) => {
    const text = foldedText(activitySentence(language, action, { name: nameMark, to }));
    const [before = '', after] = text.split(nameMark);
    return after === undefined ? [] : [{ action, before, after, to }];
  });
}

function textAt(language: Language, key: string): string {
  let found: unknown = app[language];
  for (const part of key.split('.')) found = (found as Record<string, unknown>)[part];
  if (typeof found !== 'string') throw new Error(`no text at ${key} in ${language}`);
  return found;
}
