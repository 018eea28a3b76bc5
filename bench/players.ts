/**
 * What players make of recordings as HLS where the size or the sound changes and over many borders of files: how many
 * pictures and how much sound came out, against what was recorded. Those that are not on this machine are named and
 * left out. On a real database, with a server in this process. `-- <word>`: only players and cases with it in their
 * names.
 */
import type { PlaybackTicket } from '../contract/src/playback.ts';
import { signInEach, testServer, type SignedIn } from '../server/src/testing/server.ts';
import { aCameraForm } from '../server/src/testing/world.ts';
import { browserPlayers } from './players/browsers.ts';
import { cases, record, type RecordedCase, type Recorded } from './players/films.ts';
import { players as programs } from './players/programs.ts';
import type { Played, Player } from './players/player.ts';
import { table } from './table.ts';

const words = process.argv.slice(3);
const isMeant = (player: Player, { name }: RecordedCase): boolean =>
  words.every((word) => `${player.name} ${name}`.includes(word));

await using world = await testServer();
const { admin } = await signInEach(world);
const origin = await world.app.listen({ host: '127.0.0.1', port: 0 });
const startMs = world.clock.now() - 3_600_000;
const players = [...programs, ...browserPlayers];
for (const { name, missing } of players)
  if (missing) console.error(`${name} is left out: ${missing}`);
const here = players.filter(({ missing }) => missing === null);
const versions = await Promise.all(here.map((player) => player.version()));
console.log(versions.join('\n'));

const made: { readonly is: RecordedCase; readonly camera: string; readonly has: Recorded }[] = [];
for (const is of cases) {
  const form = aCameraForm({ name: is.name.replace(/\W/g, ' ') });
  const camera = (await admin.send('POST', '/secure-api/cameras/', form)).json<{ id: string }>().id;
  made.push({ is, camera, has: await record(world.recordingFolder, camera, startMs, is) });
}
// A file has a row when it did not grow from one look to the next.
await world.server.recordings.recover();
await world.server.recordings.recover();

/** The figures of a player that could not be asked. */
const nothing = { pictures: null, soundSeconds: null, silenceMs: null };
const head = [
  'case',
  'player',
  'pictures',
  'missing',
  'sound, s',
  'missing',
  'longest silence, ms',
  '',
];
const rows: string[][] = [];
for (const { is, camera, has } of made) {
  rows.push([is.name, `recorded, ${has.files} files`, ...figures(has, has), '']);
  for (const player of here.filter((one) => isMeant(one, is))) {
    const played = await player
      .play(await addressOf(admin, camera), has.seconds)
      .catch((error: unknown) => ({ ...nothing, stopped: String(error) }));
    rows.push([is.name, player.name, ...figures(played, has), played.stopped ?? '']);
    console.error(rows.at(-1)!.join(' | '));
  }
}
console.log(table(head, rows));

async function addressOf(who: SignedIn, camera: string): Promise<string> {
  const [from, until] = [startMs, startMs + 3_600_000].map((ms) => new Date(ms).toISOString());
  const asked = { from, until };
  const reply = await who.send('POST', `/secure-api/cameras/${camera}/playback/`, asked);
  return origin + reply.json<PlaybackTicket>().playlist;
}

function figures(
  { pictures, soundSeconds, silenceMs }: Pick<Played, 'pictures' | 'soundSeconds' | 'silenceMs'>,
  has: Recorded,
): string[] {
  return [
    pictures === null ? '-' : String(pictures),
    pictures === null ? '-' : String(has.pictures - pictures),
    soundSeconds === null ? '-' : soundSeconds.toFixed(2),
    soundSeconds === null ? '-' : (has.soundSeconds - soundSeconds).toFixed(2),
    silenceMs === null ? '-' : silenceMs.toFixed(0),
  ];
}
