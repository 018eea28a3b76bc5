/** The sentences of every page, for tests of components that stand alone, without the page that would bring theirs. */
import parts from 'virtual:sentences';
import { needSentences } from '#lib/i18n.ts';

export async function everySentence(): Promise<void> {
  await Promise.all(Object.keys(parts).map(needSentences));
}
