/** The film that set-up makes for the demo camera, played by a scripted camera: it is there in every clone. */
import { readFileSync } from 'node:fs';
import { BitStreamFilterAPI, Demuxer } from 'node-av/api';
import { findDemo, type DemoFiles } from '../server/src/app/demo-files.ts';
import { sceneSeconds, scenes, shape } from '../server/src/commands/make-demo.ts';
import type { Film } from './farm/film.ts';
import { RtspCamera } from './farm/rtsp-camera.ts';
import { filmCredentials, type FilmCamera, type Scene } from './film-camera.ts';

const identityOf = (person: number): string => `Demo_Person_${person}`;

/** Three enrolled people and three others, each in a scene of five seconds. */
export async function demoFilmCamera(): Promise<FilmCamera> {
  const demo = findDemo();
  if (!demo) throw new Error('set-up has made no demo film: node scripts/setup.mjs');
  const credentials = { scheme: 'digest', ...filmCredentials } as const;
  const camera = await RtspCamera.start({ film: await readFilm(demo), credentials });
  return {
    url: camera.url,
    lengthS: scenes.length * sceneSeconds,
    cast: scenes.map(sceneOf),
    photos: new Map(demo.photos.map((path, i) => [identityOf(i + 1), readFileSync(path)])),
    start: () => camera.listen(),
    stop: () => camera.close(),
    [Symbol.asyncDispose]: () => camera.close(),
  };
}

function sceneOf({ person }: (typeof scenes)[number], index: number): Scene {
  return {
    from: index * sceneSeconds,
    until: (index + 1) * sceneSeconds,
    identity: person === null ? `Stranger_${index}` : identityOf(person),
    enrolled: person !== null,
  };
}

/** H.264 out of the MP4 file, as a camera sends it: Annex B, parameter sets before every key frame. */
async function readFilm({ film }: DemoFiles): Promise<Film> {
  await using file = await Demuxer.open(film);
  const stream = file.video();
  if (!stream) throw new Error(`${film} has no video`);
  using annexB = BitStreamFilterAPI.create('h264_mp4toannexb', stream);
  const units: Buffer[] = [];
  const keys = new Set<number>();
  for await (const packet of annexB.packets(file.packets(stream.index))) {
    if (!packet) continue;
    if (packet.isKeyframe) keys.add(units.length);
    if (packet.data) units.push(Buffer.from(packet.data));
    packet.free();
  }
  const pictures = units.length;
  return { ...shape, pictures, gop: shape.fps, units, isKey: (index) => keys.has(index) };
}
