/** What real hosts write to the disk, from cameras of the farm. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import sharp from 'sharp';
import { makeFilm, numberIn } from '@nazar/e2e/farm/film.ts';
import { RtspCamera } from '@nazar/e2e/farm/rtsp-camera.ts';
import { contentsOf as filmIn } from '#testing/film.ts';
import { aCamera, mediaFolder, openMedia, type TestFolder } from '#testing/media.ts';
import type { Media, RecordedNews } from '../../media.ts';
import { readSegment } from '../../mp4/segment-contents.ts';

const film = makeFilm();
const timeout = 90_000;

/** Collects the news of one camera's recorder. */
class RecorderEvents implements Disposable {
  readonly all: RecordedNews['news'][] = [];
  readonly #subscription: Disposable;
  #waiting: (() => void)[] = [];

  constructor(media: Pick<Media<never>, 'recorded'>, cameraId: string) {
    this.#subscription = media.recorded.on((news) => {
      if (news.cameraId !== cameraId) return;
      this.all.push(news.news);
      for (const check of this.#waiting) check();
    });
  }

  [Symbol.dispose](): void {
    this.#subscription[Symbol.dispose]();
  }

  of<K extends RecordedNews['news']['kind']>(kind: K) {
    return this.all.filter(
      (news): news is Extract<RecordedNews['news'], { kind: K }> => news.kind === kind,
    );
  }

  async has(kind: RecordedNews['news']['kind'], count: number): Promise<void> {
    const enough = Promise.withResolvers<void>();
    const check = (): void => {
      if (this.of(kind).length >= count) enough.resolve();
    };
    this.#waiting.push(check);
    check();
    await enough.promise;
  }
}

const planOf = ({ path }: TestFolder) => ({
  folder: join(path, 'recordings'),
  type: 'continuous' as const,
  recordedUntilMs: 0,
  height: 2160,
});

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.mp4'))
    .toSorted()
    .map((name) => join(folder, name));
}

/** The number that the still of that file shows. */
async function shownIn(file: string, bytes: number): Promise<number> {
  const picture = sharp(readFileSync(file).subarray(-bytes)).removeAlpha().raw();
  const { data, info } = await picture.toBuffer({ resolveWithObject: true });
  assert.deepEqual([info.width, info.height], [320, 184]);
  return numberIn(data, info.width);
}

test(
  'each file ends with a small picture of its beginning, even of a camera without viewers',
  { timeout },
  async () => {
    using folder = mediaFolder();
    await using camera = await RtspCamera.start({ film });
    await using media = openMedia(folder);
    using events = new RecorderEvents(media, 'a');
    const plan = planOf(folder);
    media.record('a', plan);
    media.watch(aCamera('a', camera.url));
    await events.has('closed', 2);
    for (const [index, file] of filesIn(plan.folder).slice(0, 2).entries()) {
      const { still, endedAtMs } = events.of('closed')[index]!.segment;
      const { startedAtMs } = events.of('opened')[index]!.segment;
      assert.ok(still && still.bytes > 500 && still.bytes < 20_000, JSON.stringify(still));
      assert.ok(still.atMs < Math.min(2_000, endedAtMs - startedAtMs), 'its first key frame');
      const { numbers } = await filmIn(file);
      const shown = numbers.indexOf(await shownIn(file, still.bytes));
      assert.ok(Math.abs((shown * 1_000) / film.fps - still.atMs) < 400, `${shown} ${still.atMs}`);
    }
  },
);

test(
  'a camera is recorded in files that follow one another, each beginning with a key frame',
  { timeout },
  async () => {
    using folder = mediaFolder();
    await using camera = await RtspCamera.start({ film });
    await using media = openMedia(folder);
    using events = new RecorderEvents(media, 'a');
    const plan = planOf(folder);
    media.record('a', plan);
    media.watch(aCamera('a', camera.url));
    await events.has('closed', 2);
    media.record('a', null);
    await events.has('closed', 3);
    const files = filesIn(plan.folder);
    const opened = events.of('opened').map(({ segment }) => segment);
    const closed = events.of('closed').map(({ segment }) => segment);
    assert.deepEqual(files, opened.map(({ file }) => file).toSorted());
    const [first, second] = closed;
    assert.equal(first?.endedAtMs, opened[1]?.startedAtMs, 'nothing is missing between them');
    assert.equal(opened[1]?.stream, opened[0]?.stream);
    assert.ok(first && second && first.pictures >= 250 && first.keyFrames.length >= 10);
    const numbers: number[] = [];
    for (const [index, file] of files.entries()) {
      const contents = await readSegment(file);
      const reported = closed[index]!;
      for (const key of ['bytes', 'headBytes', 'pictures', 'sha256', 'keyFrames'] as const) {
        assert.deepEqual(contents?.[key], reported[key], key);
      }
      assert.equal(statSync(file).size, reported.bytes);
      assert.deepEqual({ ...contents?.head, file }, opened[index]);
      const { numbers: shown, keys } = await filmIn(file);
      assert.equal(keys[0], 0);
      assert.equal(shown.length, reported.pictures);
      numbers.push(...shown);
    }
    const steps = numbers
      .slice(1)
      .map((number, at) => (number - numbers[at]! + film.pictures) % film.pictures);
    assert.ok(
      steps.every((step) => step === 1),
      'every picture once, in order, across files',
    );
  },
);
