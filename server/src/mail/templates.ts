/**
 * An email in the receiver's language, as plain text and as simple HTML. All sentences come from
 * `i18n/<language>/mail.json`; inserted values are escaped for HTML. Text that a user may have typed
 * does not belong in an email: strangers could use a name of their choice to write to others in our name.
 */
import type { Language } from '@nazar/contract/accounts.ts';
import az from '@nazar/i18n/az/mail.json' with { type: 'json' };
import en from '@nazar/i18n/en/mail.json' with { type: 'json' };
import ru from '@nazar/i18n/ru/mail.json' with { type: 'json' };
import tr from '@nazar/i18n/tr/mail.json' with { type: 'json' };
import { sentence, type Words } from '@nazar/i18n/sentence.ts';
import { dateAt } from '#lib/local-days.ts';

type Leaves<T> = {
  [K in keyof T & string]: T[K] extends string ? K : `${K}.${Leaves<T[K]>}`;
}[keyof T & string];
/** Keys of `mail.json`. */
export type MailKey = Leaves<typeof en>;

type Params = Readonly<Record<string, string>>;

export interface TemplateWords {
  readonly subject: MailKey;
  /** One paragraph each. */
  readonly before: readonly MailKey[];
  /** What to do: a button, and its address as text. */
  readonly action?: { readonly label: MailKey; readonly url: string };
  /** What happened, line by line. */
  readonly facts?: readonly { readonly name: MailKey; readonly value: string }[];
  readonly after?: readonly MailKey[];
  /** Values that the sentences take. */
  readonly params?: Params;
}

export interface Composed {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

const words: Record<Language, Words> = { en, az, ru, tr };

/** Values stand as they are: the plain text needs no escaping, and the HTML is escaped as a whole. */
const written = (language: Language, key: MailKey, params?: Params): string =>
  sentence({ language, words: words[language], shown: String }, key, params) ?? key;

/** A sentence that needs no value that is shown elsewhere than in an email. */
export const mailSentence = (language: Language, key: MailKey): string => written(language, key);

/** `origin`: the installation that sends the email, e.g. `https://nazar.example.org`. */
export function compose(language: Language, template: TemplateWords, origin: string): Composed {
  const say = (key: MailKey): string => written(language, key, template.params);
  const before = template.before.map(say);
  const after = (template.after ?? []).map(say);
  const facts = (template.facts ?? []).map(({ name, value }) => [say(name), value] as const);
  const action = template.action && { label: say(template.action.label), url: template.action.url };
  const footer = written(language, 'footer', { origin });
  const text = [
    ...before,
    ...(facts.length > 0 ? [facts.map(([name, value]) => `${name}: ${value}`).join('\n')] : []),
    ...(action ? [`${action.label}:\n${action.url}`] : []),
    ...after,
    `-- \n${footer}`,
  ].join('\n\n');
  const paragraphs = [
    ...before.map(paragraph),
    ...(facts.length > 0 ? [table(facts)] : []),
    ...(action ? [button(action.label, action.url), paragraph(action.url)] : []),
    ...after.map(paragraph),
  ];
  return {
    subject: oneLine(say(template.subject)),
    text,
    html: page(language, paragraphs, footer),
  };
}

/**
 * A date as people write it, in the reader's time zone, with the zone and its UTC offset at that moment:
 * "15 January 2026 at 16:00 (Asia/Baku, UTC+04:00)". If the zone is not known, in UTC.
 */
export function timeIn(language: Language, at: Date, timezone: string | null): string {
  const timeZone = knownZone(timezone);
  const format = new Intl.DateTimeFormat(language, {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone,
  });
  const time = format.format(at);
  return timeZone === 'UTC' ? `${time} UTC` : `${time} (${timeZone}, ${offsetOf(timeZone, at)})`;
}

/** A zone that this system does not know must not stop the action that an email reports. */
export function knownZone(timezone: string | null): string {
  const zone = timezone ?? 'UTC';
  try {
    dateAt(0, zone);
    return zone;
  } catch {
    return 'UTC';
  }
}

/** `UTC+04:00`, in every language. */
function offsetOf(timeZone: string, at: Date): string {
  const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
  const name = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  return name.replace('GMT', 'UTC');
}

/** A header must be one line. */
const oneLine = (text: string): string => text.replace(/\p{Cc}+/gu, ' ').trim();

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escape = (text: string): string => text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign);

const paragraph = (text: string): string =>
  `<p style="margin:0 0 16px;overflow-wrap:anywhere">${escape(text)}</p>`;

const button = (label: string, url: string): string =>
  `<p style="margin:24px 0"><a href="${escape(url)}" style="display:inline-block;padding:10px 20px;border-radius:8px;background:#4f46e5;color:#ffffff;text-decoration:none;font-weight:600">${escape(label)}</a></p>`;

function table(facts: readonly (readonly [string, string])[]): string {
  const rows = facts.map(
    ([name, value]) =>
      `<tr><th style="padding:2px 16px 2px 0;text-align:left;font-weight:400;color:#57606a">${escape(name)}</th><td>${escape(value)}</td></tr>`,
  );
  return `<table style="margin:0 0 16px;border-collapse:collapse">${rows.join('')}</table>`;
}

function page(language: Language, paragraphs: readonly string[], footer: string): string {
  return `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"></head>
<body style="margin:0;padding:24px;font:16px/1.5 system-ui,sans-serif;color:#1f2328;background:#ffffff">
<div style="max-width:560px;margin:0 auto">${paragraphs.join('\n')}
<p style="margin:32px 0 0;padding-top:16px;border-top:1px solid #d0d7de;font-size:13px;color:#57606a">${escape(footer)}</p></div>
</body></html>`;
}
