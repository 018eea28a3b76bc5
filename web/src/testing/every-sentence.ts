/** The sentences of every page, for tests of components that stand alone, without the page that would bring theirs. */
import { needSentences } from '#lib/i18n.ts';

export const everySentence = (): Promise<void> => needSentences('every');
