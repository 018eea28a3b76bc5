/**
 * A pack without landmarks: its detector gives five points, and chips are aligned by them. No such network is
 * available here, so the test makes one that always gives the same answer, as SCRFD would for the photo in the test.
 */
import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { systemClock } from '#lib/clock.ts';
import { needModels, openVision, pictureOf, samplePhoto } from '#testing/vision.ts';
import { meanFace } from './align.ts';
import { sha256, sha256OfFile } from './packs/checksum.ts';
import { chipOf } from './chip.ts';
import { VisionClient } from './client.ts';
import { OnnxGraph } from './setup/convert/onnx.ts';
import { distance } from './embed.ts';
import { Engine } from './engine.ts';
import { readPack, shipped } from './packs/installed-packs.ts';
import type { FaceView } from './messages.ts';
import type { Pack } from './packs/pack.ts';
import { shippedPack } from './packs/shipped-pack.ts';
import { imageSourceOf } from './image-source.ts';

before(needModels);

const input = { file: 'detector', width: 640, height: 640 };
const [cell, perCell] = [8, 2];

/** SCRFD's answer to any picture: this face, whose picture fills the input from the top left. */
function alwaysSees({ box, points }: FaceView): Buffer {
  const graph = new OnnxGraph('always');
  graph.input('input', [1, 3, input.height, input.width]);
  for (const side of [8, 16, 32]) {
    const count = (input.width / side) * (input.height / side) * perCell;
    const answers = {
      score: new Float32Array(count),
      bbox: new Float32Array(count * 4),
      kps: new Float32Array(count * 10),
    };
    if (side === cell) {
      const [x, y] = [Math.floor(box.x / cell), Math.floor(box.y / cell)];
      const at = (y * (input.width / cell) + x) * perCell;
      const from = (value: number, corner: number): number => value / cell - corner;
      answers.score[at] = 0.9;
      const [right, bottom] = [from(box.x + box.width, x), from(box.y + box.height, y)];
      answers.bbox.set([-from(box.x, x), -from(box.y, y), right, bottom], at * 4);
      answers.kps.set(
        points.flatMap(([px, py]) => [from(px, x), from(py, y)]),
        at * 10,
      );
    }
    for (const [name, data] of Object.entries(answers)) {
      const shape = [count, data.length / count];
      graph.output(`out_${name}_${side}`, graph.constant({ data, shape }), shape);
    }
  }
  return graph.build();
}

/** A folder with a pack of that detector and the shipped embedder, aligned by five points. */
async function folder(seen: FaceView) {
  const run = mkdtempSync(join(tmpdir(), 'nazar-five-'));
  const dir = join(run, 'five');
  mkdirSync(dir);
  const onnx = alwaysSees(seen);
  writeFileSync(join(dir, 'detector.onnx'), onnx);
  copyFileSync(join(shipped.folder, 'embedder.onnx'), join(dir, 'embedder.onnx'));
  const { landmarks: _, ...rest } = shippedPack;
  const names = [8, 16, 32].flatMap((side) =>
    ['score', 'bbox', 'kps'].map((it) => `${it}_${side}`),
  );
  const pack: Pack = {
    ...rest,
    id: 'five',
    files: {
      detector: { path: 'detector.onnx', sha256: sha256(onnx) },
      embedder: { path: 'embedder.onnx', sha256: await sha256OfFile(join(dir, 'embedder.onnx')) },
    },
    detector: {
      ...shippedPack.detector,
      family: 'scrfd',
      inputs: [input],
      outputs: Object.fromEntries(names.map((name) => [name, `out_${name}`])),
      faces: { min: 35, max: 600 },
      certainScore: 0.3,
      narrow: 0,
    },
    embedder: {
      ...shippedPack.embedder,
      template: meanFace.five.map(([x, y]) => [x, y]) as Pack['embedder']['template'],
    },
  };
  writeFileSync(join(dir, 'pack.json'), JSON.stringify(pack));
  return { run, dir, [Symbol.dispose]: () => rmSync(run, { recursive: true, force: true }) };
}

const limit = { timeout: 60_000 };

test(
  'a pack without landmarks lays chips by its detector’s points, here and from host to host',
  limit,
  async () => {
    const photo = await pictureOf(samplePhoto(1), 640);
    await using usual = await Engine.load();
    const { faces, chips } = await usual.detect(photo);
    const face = faces[0]!;
    const [vector] = await usual.embed(chipOf(face, faces, chips)!, 1);
    using temporary = await folder(face);

    await using engine = await Engine.load(await readPack(temporary.dir));
    const { faces: same, chips: own } = await engine.detect(photo);
    assert.equal(same.length, 1);
    for (const [i, [x, y]] of same[0]!.points.entries()) {
      const [u, v] = face.points[i]!;
      assert.ok(Math.hypot(x - u, y - v) < 1, `point ${i}: ${x}, ${y} is not ${u}, ${v}`);
    }
    const [laid] = await engine.embed(own, 1);
    const away = distance(laid!, vector!);
    assert.ok(away < 0.3, `${away} from the vector by 68 points`);

    await using vision = await openVision(temporary.run, {
      packDirs: [temporary.run],
      packId: 'five',
    });
    await using client = new VisionClient(vision.sockets, systemClock);
    while (client.reachable === 0) await systemClock.wait(10);
    const seen = await client.detect(imageSourceOf(photo), {});
    assert.deepEqual(seen.reply.faces, same);
    assert.equal(seen.chips.length, engine.chipBytes);
  },
);
