/** Requests that fit the contract, nearly do, or are meant to hurt; reproducible from a seed. */
import * as fc from 'fast-check';
import type { Route } from '@nazar/contract/route.ts';
import { anId, arbitraryOf, shapeOf } from './arbitrary.ts';
import {
  hostileContentTypes,
  hostileFieldNames,
  hostileFileNames,
  hostileHeaders,
  hostileSegments,
  hostileTexts,
} from './hostile.ts';

export const requesters = [
  'anonymous',
  'user',
  'operator',
  'staff',
  'admin',
  'superadmin',
] as const;

export interface FuzzRequest {
  readonly route: Route;
  readonly as: (typeof requesters)[number];
  /** With `@id:n@` where the id of something that exists shall stand, as in `payload`. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly payload: string | undefined;
}

/** `rare`: calls that cost their caller the session, or much time. */
export function requests(
  routes: readonly Route[],
  rare: (route: Route) => boolean,
): fc.Arbitrary<FuzzRequest> {
  return fc.oneof(
    ...routes.map((route) => ({ weight: rare(route) ? 1 : 8, arbitrary: requestTo(route) })),
  );
}

function requestTo(route: Route): fc.Arbitrary<FuzzRequest> {
  return fc
    .record({
      as: fc.oneof(
        { weight: 3, arbitrary: fc.constantFrom('superadmin' as const, 'user' as const) },
        fc.constantFrom(...requesters),
      ),
      url: urlOf(route),
      content: contentOf(route),
      headers: fc.oneof(
        { weight: 3, arbitrary: fc.constant({}) },
        fc.constantFrom(...hostileHeaders),
      ),
    })
    .map(({ as, url, content, headers }) => ({
      route,
      as,
      url,
      headers: { ...(content.type === null ? {} : { 'content-type': content.type }), ...headers },
      payload: content.payload,
    }));
}

function urlOf(route: Route): fc.Arbitrary<string> {
  const segment = fc.oneof(
    { weight: 5, arbitrary: anId },
    { weight: 1, arbitrary: fc.uuid() },
    { weight: 1, arbitrary: fc.constantFrom(...hostileSegments) },
  );
  const parts = route.path
    .split('/')
    .map((part) => (part.startsWith(':') ? segment : fc.constant(part)));
  return fc
    .tuple(fc.tuple(...parts), queryOf(route))
    .map(([path, query]) => path.join('/') + query);
}

const encoded = (text: string): string => encodeURIComponent(text.toWellFormed());
/** A placeholder stays legible until it is filled. */
const encodedValue = (text: string): string => (/^@id:\d+@$/.test(text) ? text : encoded(text));

function queryOf(route: Route): fc.Arbitrary<string> {
  const names = route.query ? Object.keys(shapeOf(route.query).properties ?? {}) : [];
  const fits = route.query ? arbitraryOf(route.query).map(asPairs) : fc.constant([]);
  const name = fc.oneof(fc.constantFrom('a', ...names), fc.constantFrom('__proto__', 'a[b]', '_t'));
  const stray = fc.array(fc.tuple(name, fc.constantFrom(...hostileTexts)), { maxLength: 3 });
  const pairs = fc.oneof(
    { weight: 4, arbitrary: fits },
    stray,
    fc.tuple(fits, stray).map((two) => two.flat()),
  );
  const text = pairs.map((all) =>
    all.map(([key, value]) => `${encoded(key)}=${encodedValue(value)}`).join('&'),
  );
  return fc
    .oneof({ weight: 12, arbitrary: text }, fc.constantFrom('%', '&&&', '=', 'a=%E0%A4', '?', '#'))
    .map((query) => (query === '' ? '' : `?${query.slice(0, 12_000)}`));
}

function asPairs(value: unknown): [string, string][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).map(([key, each]) => [
    key,
    typeof each === 'string' ? each : (JSON.stringify(each) ?? ''),
  ]);
}

interface Content {
  readonly type: string | null;
  readonly payload: string | undefined;
}

function contentOf(route: Route): fc.Arbitrary<Content> {
  const broken = fc.record({
    type: fc.constantFrom(...hostileContentTypes),
    payload: fc.constantFrom('', '{', '[]', '"x"', 'null', '{"a":1}{"b":2}', '\uFEFF{}', 'a=b&a=c'),
  });
  const nothing = fc.constant<Content>({ type: null, payload: undefined });
  if (!route.body) return fc.oneof({ weight: 9, arbitrary: nothing }, broken);
  const values = arbitraryOf(route.body);
  const json = values.map((value) => ({
    type: 'application/json',
    payload: JSON.stringify(value) ?? 'null',
  }));
  const forms = values.chain((value) => formOf(value));
  const kinds = route.consumes ?? ['json'];
  return fc.oneof(
    { weight: kinds.includes('json') ? 12 : 1, arbitrary: json },
    { weight: kinds.includes('multipart') ? 6 : 1, arbitrary: forms },
    { weight: 1, arbitrary: broken },
    {
      weight: 1,
      arbitrary: fc.record({
        type: fc.constantFrom(...hostileContentTypes),
        payload: json.map(({ payload }) => payload),
      }),
    },
  );
}

function formOf(value: unknown): fc.Arbitrary<Content> {
  const field = fc.tuple(fc.constantFrom(...hostileFieldNames), fc.constantFrom(...hostileTexts));
  const file = fc.record({
    name: fc.constantFrom('image', 'uploaded_images', ...hostileFieldNames),
    fileName: fc.constantFrom(...hostileFileNames),
    bytes: fc.constantFrom('', '\xff\xd8\xff', '<svg/>', 'GIF89a', '%PDF-', '\x89PNG\r\n\x1a\n'),
  });
  const ends = fc.constantFrom('--x--\r\n', '--x--', '--x', '', '--y--\r\n');
  return fc
    .tuple(fc.array(field, { maxLength: 2 }), fc.array(file, { maxLength: 2 }), ends)
    .map(([more, files, end]) => ({
      type: 'multipart/form-data; boundary=x',
      payload: [
        ...[...asPairs(value), ...more].map(
          ([name, text]) =>
            `--x\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`,
        ),
        ...files.map(
          ({ name, fileName, bytes }) =>
            `--x\r\ncontent-disposition: form-data; name="${name}"; filename="${fileName}"\r\n` +
            `content-type: image/jpeg\r\n\r\n${bytes}\r\n`,
        ),
        end,
      ].join(''),
    }));
}
