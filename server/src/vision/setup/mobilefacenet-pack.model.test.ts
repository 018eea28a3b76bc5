/** The proposed pack end to end: what its two detectors take for a face, and what they do not. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import sharp from 'sharp';
import { systemClock } from '#lib/clock.ts';
import { openVision, pictureOf, samplePhoto } from '#testing/vision.ts';
import { VisionClient } from '../client.ts';
import { Engine } from '../engine.ts';
import { imageSourceOf } from '../image-source.ts';
import { installedPacks, modelsDir, readPack } from '../packs/installed-packs.ts';
import { mobileFaceNetPack } from '../packs/mobilefacenet-pack.ts';
import type { Picture } from '../picture.ts';

const { id } = mobileFaceNetPack;
const isMade = (await installedPacks(modelsDir)).some((pack) => pack.id === id);
const options = { timeout: 120_000, skip: !isMade && `set-up could not make ${id}` };
const pack = () => readPack(join(modelsDir, id));

/** Made of a luma of video, 16 to 235. */
const grey = (luma: number): number => Math.round((luma - 16) * 1.164);

/** Two white plates on a rough grey wall, each with two dark eyes and a mouth. */
function plates(): Picture {
  const [width, height] = [1280, 720];
  let state = 11;
  const random = (): number => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
  const rgb = Buffer.alloc(width * height * 3);
  for (let i = 0; i < width * height; i++) {
    const [x, y] = [i % width, Math.floor(i / width)];
    const wall = y < 520 ? 150 - y / 12 : 96;
    rgb.fill(grey(wall + 6 * random() - x / 60), i * 3, i * 3 + 3);
  }
  const disc = (cx: number, cy: number, radius: number, luma: number): void => {
    for (let y = cy - radius; y <= cy + radius; y++) {
      const half = Math.round(Math.sqrt(radius ** 2 - (y - cy) ** 2));
      rgb.fill(grey(luma), (y * width + cx - half) * 3, (y * width + cx + half) * 3);
    }
  };
  for (const cx of [220, 420]) {
    disc(cx, 150, 60, 190);
    disc(cx - 20, 138, 8, 60);
    disc(cx + 20, 138, 8, 60);
    disc(cx, 176, 10, 80);
  }
  return { width, height, rgb };
}

test(
  'plates with eyes and a mouth are no faces, though the first detector takes them for some',
  options,
  async () => {
    await using engine = await Engine.load(await pack());
    assert.deepEqual((await engine.detect(plates())).faces, []);
    const unsure = {
      ...(await pack()),
      detector: { ...(await pack()).detector, certainScore: 0.3 },
    };
    await using first = await Engine.load(unsure);
    assert.ok((await first.detect(plates())).faces.length > 0);
  },
);

test('the people of a photo are found', options, async () => {
  await using engine = await Engine.load(await pack());
  const { faces } = await engine.detect(await pictureOf(samplePhoto(1), 1280));
  assert.ok(faces.filter(({ fault }) => fault === null).length >= 2);
});

/** A face of a sample photo, cut out along its box. */
async function portrait(engine: Engine): Promise<Picture> {
  const whole = await pictureOf(samplePhoto(1));
  const { width, height, rgb } = whole;
  const { box } = (await engine.detect(whole)).faces[0]!;
  const side = Math.round(box.width);
  const top = Math.round(box.y + (box.height - side) / 2);
  const photo = sharp(rgb, { raw: { width, height, channels: 3 } })
    .extract({ left: Math.round(box.x), top, width: side, height: side })
    .resize(150, 150);
  return { width: 150, height: 150, rgb: await photo.raw().toBuffer() };
}

test(
  'a face that fills its photo is found where the first detector, which wants more around it, sees none',
  options,
  async () => {
    await using engine = await Engine.load(await pack());
    const photo = await portrait(engine);
    // What sees nothing, whatever the photo shows.
    const detector = { ...(await pack()).detector, minScore: 1, narrowScore: 1 };
    await using blind = await Engine.load({ ...(await pack()), detector });
    const { faces } = await blind.detect(photo);
    assert.deepEqual(
      faces.map(({ fault }) => fault),
      [null],
    );
    // In a part of a picture the rest of the face may lie beyond.
    const part = { x: 0, y: 0, width: 150, height: 150 };
    assert.deepEqual((await blind.detect(photo, [part])).faces, []);
  },
);

test(
  'people who are new before a camera are confirmed once, however certain the first detector is',
  options,
  async () => {
    const dir = mkdtempSync(join(tmpdir(), 'nazar-vision-'));
    try {
      await using vision = await openVision(dir, { packId: id });
      await using client = new VisionClient(vision.sockets, systemClock);
      while (client.reachable === 0) await systemClock.wait(10);
      const view = imageSourceOf(await pictureOf(samplePhoto(1), 1280));
      const certain = async (scene: object | null): Promise<number> => {
        const { reply } = await client.detect(view, scene);
        return reply.faces.filter(({ score }) => score >= 0.999).length;
      };
      // The second detector's scores are lower.
      const scene = {};
      assert.equal(await certain(scene), 0);
      assert.ok((await certain(scene)) >= 2);
      assert.ok((await certain(null)) >= 2);
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  },
);
