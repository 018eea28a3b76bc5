/// <reference lib="dom" />
/** Reads what a screen says: the sentence of each camera's state, its badges, its picture's age, and the line. */
import type { Page } from '@playwright/test';
import type { Said } from './judge.ts';
import { placesIn, word } from './said.ts';

/** Runs in the page from its beginning: notes when each picture changed, and since when it has moved. */
function watchPictures(): void {
  const pauseMs = 2_000;
  const pictures = new WeakMap<Element, { atMs: number; sinceMs: number }>();
  Object.assign(window, { pictures });
  const changed = (element: Element): void => {
    const nowMs = Date.now();
    const last = pictures.get(element);
    const sinceMs = last === undefined || nowMs - last.atMs > pauseMs ? nowMs : last.sinceMs;
    pictures.set(element, { atMs: nowMs, sinceMs });
  };
  const watched = new WeakSet<Element>();
  const watch = (video: HTMLVideoElement): void => {
    if (watched.has(video)) return;
    watched.add(video);
    // Another stream begins, and the picture of the one before is gone.
    for (const event of ['emptied', 'loadstart'])
      video.addEventListener(event, () => changed(video));
    let last: number | null = null;
    const next = (_now: number, { mediaTime }: VideoFrameCallbackMetadata): void => {
      // A seek to where it is shows the same picture again.
      if (mediaTime !== last) changed(video);
      last = mediaTime;
      video.requestVideoFrameCallback(next);
    };
    video.requestVideoFrameCallback(next);
  };
  const look = (): void => document.querySelectorAll('video').forEach(watch);
  new MutationObserver(look).observe(document, { childList: true, subtree: true });
  const { prototype } = CanvasRenderingContext2D;
  // oxlint-disable-next-line typescript/unbound-method -- it is called on the context it was called on
  const draw = prototype.drawImage as (...words: unknown[]) => void;
  prototype.drawImage = function drawn(this: CanvasRenderingContext2D, ...words: unknown[]) {
    changed(this.canvas);
    draw.apply(this, words);
  };
}

export const preparePage = (page: Page): Promise<unknown> => page.addInitScript(watchPictures);

type Raw = Omit<Said, 'screen' | 'asOf'>;

interface Asked {
  /** Names of the cameras. */
  readonly names: readonly string[];
  /** What badges say of recording: on cards, and under the heading of a table's column. */
  readonly badges: readonly string[];
  readonly column: string;
  readonly switched: readonly string[];
}

interface RawScreen {
  readonly said: readonly Raw[];
  /** What stands beside it all: of the line, of copies. */
  readonly notices: readonly string[];
  /** All lines of the screen, figures among them. */
  readonly lines: readonly string[];
  readonly atMs: number;
}

/** Runs in the page. */
function readScreen({ names, badges, column, switched }: Asked): RawScreen {
  const { pictures } = window as unknown as {
    pictures: WeakMap<Element, { atMs: number; sinceMs: number }>;
  };
  const atMs = Date.now();
  const said: Raw[] = [];
  const columns = [...document.querySelectorAll('thead th')].map((head) => head.textContent);
  // What lies behind a screen is not seen.
  const seen = document.querySelector('[role=dialog]') ?? document;
  for (const line of seen.querySelectorAll('[data-camera-state]')) {
    const box = line.closest('article, tr, li, [data-tile], [role=dialog], main');
    const camera = names.find((name) => box?.textContent.includes(name)) ?? null;
    if (box === null || camera === null) continue;
    const shown = box.querySelector('video:not([aria-hidden=true]), canvas[role=img]');
    const found = shown === null ? undefined : pictures.get(shown);
    const picture = found && { ageMs: atMs - found.atMs, movesMs: atMs - found.sinceMs };
    const add = (place: Raw['place'], text: string): void =>
      void said.push({ atMs, camera, place, text, picture: picture ?? null });
    add('state', line.textContent);
    const age = box.querySelector('[data-testid=picture-age]');
    if (age !== null) add('age', age.textContent);
    for (const { textContent } of box.querySelectorAll('span'))
      if (badges.includes(textContent)) add('badge', textContent);
    const cell = columns.indexOf(column);
    const inCell = box.querySelectorAll('td')[cell]?.textContent ?? '';
    if (switched.includes(inCell)) add('badge', inCell);
  }
  const notices = [
    ...document.querySelectorAll<HTMLElement>(
      'output span, output, [role=alert] span, [role=status] span',
    ),
  ];
  return {
    said,
    notices: notices.map((one) => one.innerText.trim()),
    lines: document.querySelector('main')?.innerText.split('\n') ?? [],
    atMs,
  };
}

const asked: Omit<Asked, 'names'> = {
  badges: [word('cameras.recording'), word('cameras.notRecording')],
  column: word('cameras.recordingColumn'),
  switched: [word('cameras.on'), word('cameras.off')],
};

/** The sentences with which a screen says that what it shows is old. */
const ofOld = ['connection.lost', 'ui.cached', 'cameras.asOf'] as const;

export async function read(page: Page, screen: string, names: readonly string[]): Promise<Said[]> {
  const { said, notices, lines, atMs } = await page.evaluate(readScreen, { ...asked, names });
  const old = ofOld.flatMap((path) =>
    notices.flatMap((text) => {
      const time = placesIn(path, text.split('\n')[0]!)?.['time'];
      return time === undefined ? [] : [{ text: text.split('\n')[0]!, time }];
    }),
  );
  const whole = { screen, atMs, camera: null, picture: null, asOf: old[0]?.time ?? null };
  const figures = lines.flatMap((text) => {
    const part = text.split(' · ').find((one) => placesIn('dashboard.liveNow', one));
    return part === undefined ? [] : [{ ...whole, place: 'figure' as const, text: part }];
  });
  return [
    { ...whole, place: 'line', text: old[0]?.text ?? '' },
    ...figures,
    ...said.map((one) => ({ ...one, screen, asOf: old[0]?.time ?? null })),
  ];
}
