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

/** ERR-008 to ERR-017 in their order; what is said over the picture, and what is said of the end. */
const stated: readonly (Said | Interruption)[] = [
  { why: 'missing', name: null },
  { why: 'inactive', name: null },
  { why: 'signedOut', name: null },
  { why: 'noPlace', name: null },
  { why: 'failed' },
  { why: 'timedOut' },
  { why: 'windowBlocked', name: null },
  { why: 'refused', status: 503, reason: '', name: null },
  { why: 'format', name: null },
  { why: 'other', name: null },
];

const sentencesIn = async (language: Language): Promise<string[]> => {
  const words = await wordsIn(language);
  return stated.map((one) => ('name' in one ? words.said(one).sentence : words.interrupted(one)));
};

test('ERR-008, ERR-009, ERR-010, ERR-011, ERR-012, ERR-013, ERR-014, ERR-015, ERR-016, ERR-017, ERR-018, NSH-029 the Turkish sentences stand as they are stated', async () => {
  expect(await sentencesIn('tr')).toEqual([
    'Kamera bilgileri eksik.',
    'Kamera aktif değil. Lütfen kamerayı aktifleştirin.',
    'Yetkilendirme jetonu bulunamadı. Lütfen tekrar giriş yapın.',
    'Kamera kapsayıcısı bulunamadı.',
    'Akış yüklenemedi, yeniden bağlanılıyor...',
    'Akış zaman aşımına uğradı, yeniden bağlanılıyor...',
    'Açılır pencere açılamadı. Lütfen açılır pencere engelleyicisini kapatın.',
    'Akış başlatılamadı: 503',
    'Beklenmeyen akış formatı.',
    'Yüz tanıma başlatılamadı.',
  ]);
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
