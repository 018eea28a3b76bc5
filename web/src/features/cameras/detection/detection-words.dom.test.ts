import { renderHook } from '@testing-library/react';
import { afterAll, expect, test } from 'vitest';
import { languages, needSentences, startSentences, type Language } from '#lib/i18n.ts';
import type { Said } from './detection.ts';
import type { Interruption } from './detection-state.ts';
import { useDetectionWords } from './detection-words.ts';

afterAll(() => startSentences('en'));

async function wordsIn(language: Language): Promise<ReturnType<typeof useDetectionWords>> {
  await startSentences(language);
  await needSentences('cameras-page');
  return renderHook(() => useDetectionWords()).result.current;
}

/** What is said over the picture and of its end, in the order of their numbers, with the stated sentence. */
const turkish: readonly (readonly [string, Said | Interruption, string])[] = [
  ['ERR-008', { why: 'missing', name: null }, 'Kamera bilgileri eksik.'],
  [
    'ERR-009',
    { why: 'inactive', name: null },
    'Kamera aktif değil. Lütfen kamerayı aktifleştirin.',
  ],
  [
    'ERR-010',
    { why: 'signedOut', name: null },
    'Yetkilendirme jetonu bulunamadı. Lütfen tekrar giriş yapın.',
  ],
  ['ERR-011', { why: 'noPlace', name: null }, 'Kamera kapsayıcısı bulunamadı.'],
  ['ERR-012', { why: 'failed' }, 'Akış yüklenemedi, yeniden bağlanılıyor...'],
  ['ERR-013', { why: 'timedOut' }, 'Akış zaman aşımına uğradı, yeniden bağlanılıyor...'],
  [
    'ERR-014',
    { why: 'windowBlocked', name: null },
    'Açılır pencere açılamadı. Lütfen açılır pencere engelleyicisini kapatın.',
  ],
  ['ERR-015', { why: 'refused', status: 503, reason: '', name: null }, 'Akış başlatılamadı: 503'],
  ['ERR-016', { why: 'format', name: null }, 'Beklenmeyen akış formatı.'],
  ['ERR-017', { why: 'other', name: null }, 'Yüz tanıma başlatılamadı.'],
];

const sentencesIn = async (language: Language): Promise<string[]> => {
  const words = await wordsIn(language);
  return turkish.map(([, one]) =>
    'name' in one ? words.said(one).sentence : words.interrupted(one),
  );
};

test.each(turkish)('%s the Turkish sentence stands as it is stated', async (_, one, sentence) => {
  const words = await wordsIn('tr');
  expect('name' in one ? words.said(one).sentence : words.interrupted(one)).toBe(sentence);
});

test('ERR-018, NSH-029 the ten Turkish sentences are those that were proposed', async () => {
  expect(await sentencesIn('tr')).toEqual(turkish.map(([, , sentence]) => sentence));
});

test('=LNG-004 each of the ten is another sentence, in the language that was chosen', async () => {
  const all = new Set<string>();
  for (const language of languages) {
    for (const sentence of await sentencesIn(language)) all.add(sentence);
  }
  expect(all.size).toBe(10 * languages.length);
});

test('LIVE-025, ERR-015 a refusal is followed by what the server says about it', async () => {
  const { said, interrupted } = await wordsIn('en');
  const refused = { why: 'refused', status: 403, reason: 'You cannot start it.' } as const;
  expect(said({ ...refused, name: 'Gate' })).toEqual({
    tone: 'error',
    sentence: "The stream couldn't be started: 403. You cannot start it.",
  });
  expect(interrupted(refused)).toBe("The stream couldn't be started: 403. You cannot start it.");
  expect(said({ why: 'stopFailed', reason: '', name: 'Gate' }).sentence).toBe(
    'Failed to stop face detection',
  );
  expect(said({ why: 'stoppedForOthers', count: 2, name: 'Gate' })).toEqual({
    tone: 'info',
    sentence: 'Face detection stopped. 2 other viewers were watching it.',
  });
});
