/**
 * The states of a camera that tests compare with what screens say: what it should do, what it does, what its viewer
 * gets and how it is recorded, with the one sentence and colour of each.
 */
import { ingestCauses, type Camera } from '@nazar/contract/cameras.ts';
import type { ViewFacts } from '#parts/camera-state/camera-facts.ts';
import type { StateTone } from '#parts/camera-state/camera-state.ts';
import { aCamera, someHealth } from './cameras.ts';

export interface KnownState {
  readonly of: string;
  readonly camera: Camera;
  readonly view: ViewFacts;
  readonly knownAtMs: number | null;
  readonly sentence: string;
  readonly tone: StateTone;
}

/** Noon by the clock of this machine, on a day without a change of clocks. */
export const nowMs = new Date(2026, 0, 15, 12).getTime();
const at = (minutes: number): string => new Date(nowMs + minutes * 60_000).toISOString();
const soon = new Date(nowMs + 40_500).toISOString();

type Row = readonly [
  of: string,
  camera: Partial<Camera>,
  view: ViewFacts,
  sentence: string,
  tone: StateTone,
];

const none: ViewFacts = { kind: 'none' };
const playing: ViewFacts = { kind: 'playing' };
const records = { is_recording: true, recording_state: 'recording' } as const;
const continuous = { ...records, recording_reason: 'continuous' } as const;
const lost = {
  is_recording: false,
  recording_state: 'interrupted',
  recording_reason: 'continuous',
} as const;

type Down = Parameters<typeof someHealth>[0];

const down = (over: Down): Pick<Camera, 'health'> => ({
  health: someHealth({ width: null, height: null, down_since: at(-9), since: at(-2), ...over }),
});
const offline = (over: Down = {}) => down({ state: 'offline', cause: 'unreachable', ...over });
const stalled = (over: Down = {}) => down({ state: 'stalled', cause: 'no_packets', ...over });
const sub = someHealth({ width: 640, height: 360 });

const reconnecting = (
  why: Extract<ViewFacts, { kind: 'reconnecting' }>['why'],
  sentence: string | null = null,
): ViewFacts => ({ kind: 'reconnecting', why, sentence, atMs: nowMs + 5000 });
const ended = (
  why: Extract<ViewFacts, { kind: 'ended' }>['why'],
  sentence: string | null = null,
): ViewFacts => ({ kind: 'ended', why, sentence });

const notSet = ' · Not set to record now';
const recorded = ' · Recording continuously';
const nothing = ' · Nothing is recorded';

const wishes: readonly Row[] = [
  ['inactive', { status: 'inactive' }, none, 'Inactive: not watched or recorded', 'neutral'],
  [
    'inactive, its last state live',
    { ...continuous, status: 'inactive' },
    none,
    'Inactive: not watched or recorded',
    'neutral',
  ],
  [
    'maintenance',
    { status: 'maintenance' },
    none,
    'Under maintenance: not watched or recorded',
    'neutral',
  ],
  [
    'marked as faulty by hand',
    { status: 'error' },
    none,
    'Marked as faulty: not watched or recorded',
    'neutral',
  ],
  ['active without an address', { has_url: false }, none, 'No stream address', 'warning'],
  [
    'active, not yet connected',
    down({ state: 'off', cause: 'none' }),
    none,
    `Not connected yet${notSet}`,
    'info',
  ],
];

const streams: readonly Row[] = [
  ['live', {}, none, `Live${notSet}`, 'success'],
  [
    'its video service restarts',
    { ...lost, ...down({ state: 'connecting', cause: 'host_restarting' }) },
    none,
    `Connecting: the video service is restarting${nothing}`,
    'warning',
  ],
  [
    'connecting',
    down({ state: 'connecting', cause: 'starting' }),
    none,
    `Connecting: opening the stream${notSet}`,
    'info',
  ],
  [
    'unplugged',
    { ...lost, ...offline() },
    none,
    `Offline since 11:51: the camera can't be reached${nothing}`,
    'danger',
  ],
  [
    'unplugged, tried again soon',
    { ...lost, ...offline({ retry_at: soon }) },
    none,
    `Offline since 11:51: the camera can't be reached. Next try in 40 sec${nothing}`,
    'danger',
  ],
  [
    'unplugged since another day',
    { ...lost, ...offline({ down_since: at(-2000) }) },
    none,
    `Offline since Jan 14, 02:40: the camera can't be reached${nothing}`,
    'danger',
  ],
  [
    'frozen',
    { ...lost, ...stalled() },
    none,
    `Stalled since 11:51: the camera isn't sending anything${nothing}`,
    'warning',
  ],
  [
    'frozen, not to be recorded',
    stalled(),
    none,
    `Stalled since 11:51: the camera isn't sending anything${notSet}`,
    'warning',
  ],
  [
    'its password is refused',
    { ...lost, ...down({ state: 'refused', cause: 'password_refused' }) },
    none,
    `Refused since 11:51: the camera refused the password${nothing}`,
    'danger',
  ],
  [
    'down, and it is not said yet that its recording is, too',
    { ...continuous, ...offline() },
    none,
    `Offline since 11:51: the camera can't be reached${nothing}`,
    'danger',
  ],
  [
    'main stream down, its substream recorded',
    { ...continuous, ...offline({ sub }) },
    none,
    `Only the substream is live. Main stream: Offline since 11:51: the camera can't be reached${recorded}`,
    'warning',
  ],
  [
    'main stream down, substream live',
    { ...lost, ...offline({ sub }) },
    playing,
    `Only the substream is live. Main stream: Offline since 11:51: the camera can't be reached${nothing}`,
    'warning',
  ],
];

const views: readonly Row[] = [
  ['playing', {}, playing, `Live${notSet}`, 'success'],
  ['opening', continuous, { kind: 'opening' }, `Opening the picture${recorded}`, 'info'],
  [
    'this device is starved',
    continuous,
    { kind: 'late', fault: 'device', ageMs: 10_900 },
    `This device can't keep up: the picture is 10 sec old${recorded}`,
    'warning',
  ],
  [
    'nothing comes here',
    continuous,
    { kind: 'late', fault: 'connection', ageMs: 4000 },
    `No new picture for 4 sec${recorded}`,
    'warning',
  ],
  [
    'key frames only',
    continuous,
    { kind: 'keyFrames' },
    `Key frames only: this device can't keep up${recorded}`,
    'warning',
  ],
  [
    'a still of now',
    continuous,
    { kind: 'stills', ageMs: null },
    `Still picture${recorded}`,
    'warning',
  ],
  [
    'a still',
    continuous,
    { kind: 'stills', ageMs: 6000 },
    `Still picture, 6 sec old${recorded}`,
    'warning',
  ],
  [
    'this viewer is cut off',
    continuous,
    reconnecting('lost'),
    'The connection to Nazar was lost. Reconnecting in 5 sec',
    'warning',
  ],
  [
    'this viewer is cut off from a camera last known as offline',
    offline(),
    reconnecting('lost'),
    'The connection to Nazar was lost. Reconnecting in 5 sec',
    'warning',
  ],
  [
    'no video for ten seconds',
    continuous,
    reconnecting('silent'),
    `No video reached this screen. Reconnecting in 5 sec${recorded}`,
    'warning',
  ],
  [
    'no video, and the camera is known to be down',
    { ...lost, ...offline() },
    reconnecting('silent'),
    `Offline since 11:51: the camera can't be reached${nothing}`,
    'danger',
  ],
  [
    'what came can not be played',
    continuous,
    reconnecting('damaged'),
    `The stream couldn't be played. Reconnecting in 5 sec${recorded}`,
    'warning',
  ],
  [
    'refused by the server for now',
    continuous,
    reconnecting('refused', 'Too many requests.'),
    `Too many requests. Reconnecting in 5 sec${recorded}`,
    'warning',
  ],
  [
    'too many views',
    continuous,
    reconnecting('full'),
    `Too many live views are open. This picture is refreshed every 5 seconds. Reconnecting in 5 sec${recorded}`,
    'warning',
  ],
  [
    'too many masked views',
    continuous,
    reconnecting('maskedFull'),
    `Too many masked or converted views are open. This picture is refreshed every 5 seconds. Reconnecting in 5 sec${recorded}`,
    'warning',
  ],
  [
    'its masks are not aligned',
    continuous,
    ended('refused', "We don't know yet where this camera's masks are in its substream."),
    `We don't know yet where this camera's masks are in its substream.${recorded}`,
    'warning',
  ],
  [
    'its format does not play here',
    continuous,
    ended('unsupported'),
    `Your browser can't play this camera's video format. Showing still pictures instead.${recorded}`,
    'warning',
  ],
  [
    'replaced by a newer view',
    continuous,
    ended('replaced'),
    `This view was closed because too many were open and a newer one took its place. Close another one, then open it again.${recorded}`,
    'warning',
  ],
  [
    'the right is gone',
    continuous,
    ended('rights'),
    'You no longer have access to this camera.',
    'warning',
  ],
  [
    'switched off meanwhile',
    continuous,
    ended('camera'),
    'This camera is no longer active.',
    'neutral',
  ],
];

const waits = {
  recording_state: 'waiting',
  recording_reason: 'motion',
  recording_cause: 'no_motion',
} as const;
const disk = (state: Camera['recording_state']): Partial<Camera> => ({
  recording_state: state,
  recording_reason: 'continuous',
  recording_cause: 'disk',
});

const recordings: readonly Row[] = [
  ['recorded', records, playing, 'Live · Recording', 'success'],
  ['recorded continuously', continuous, playing, `Live${recorded}`, 'success'],
  [
    'recorded by hand',
    { ...records, recording_reason: 'manual' },
    playing,
    'Live · Recording, started manually',
    'success',
  ],
  [
    'recorded on schedule',
    { ...records, recording_reason: 'scheduled' },
    playing,
    'Live · Recording on schedule',
    'success',
  ],
  [
    'motion is recorded',
    { ...records, recording_reason: 'motion' },
    playing,
    'Live · Recording motion',
    'success',
  ],
  [
    'a test is recorded',
    { ...records, recording_reason: 'test' },
    playing,
    'Live · Recording a test',
    'success',
  ],
  ['waits for motion', waits, playing, 'Live · Recording starts when there is motion', 'success'],
  [
    'outside its schedule',
    { recording_state: 'outside_schedule' },
    playing,
    'Live · Not recording: outside the schedule',
    'success',
  ],
  [
    'back, and not recorded yet',
    { ...lost, recording_cause: 'network' },
    playing,
    "Live · Recording hasn't resumed yet",
    'info',
  ],
  [
    'its video can not be recorded',
    { ...lost, recording_cause: 'camera' },
    playing,
    'Live · Not recording: the camera sends no video that can be recorded',
    'warning',
  ],
  [
    'the disk hangs',
    disk('disk_hung'),
    playing,
    "Live · The disk isn't responding. Recording continues when it does.",
    'warning',
  ],
  [
    'the disk is full',
    disk('disk_full'),
    playing,
    'Live · Not recording: the disk is full',
    'danger',
  ],
  [
    'the disk is away',
    disk('disk_away'),
    playing,
    "Live · Not recording: the disk isn't available",
    'danger',
  ],
  [
    'the disk fails',
    disk('disk_failing'),
    playing,
    "Live · Not recording: the disk can't keep up or reports errors",
    'danger',
  ],
  [
    'the disk is full and this device starves',
    disk('disk_full'),
    { kind: 'late', fault: 'device', ageMs: 3000 },
    "This device can't keep up: the picture is 3 sec old · Not recording: the disk is full",
    'danger',
  ],
];

const known = ([of, camera, view, sentence, tone]: Row): KnownState => ({
  of,
  camera: aCamera(camera),
  view,
  knownAtMs: null,
  sentence,
  tone,
});

const stale = (
  over: Partial<Camera>,
  sentence: string,
  view: ViewFacts = none,
  tone: StateTone = 'neutral',
): KnownState => ({
  ...known(['the server does not answer', over, view, sentence, tone]),
  knownAtMs: nowMs - 3 * 60_000,
});

export const cameraStates: readonly KnownState[] = [
  ...[...wishes, ...streams, ...views, ...recordings].map(known),
  stale(continuous, `Not known now. At 11:57: Live${recorded}`),
  stale(
    { ...lost, ...offline() },
    `Not known now. At 11:57: Offline since 11:51: the camera can't be reached${nothing}`,
  ),
  stale(continuous, `Not known now. At 11:57: Live${recorded}`, { kind: 'opening' }),
  stale(
    continuous,
    'The connection to Nazar was lost. Reconnecting in 5 sec',
    reconnecting('lost'),
    'warning',
  ),
];

/** States that are known without a picture: what a table or the Dashboard can show. */
export const statesWithoutView = cameraStates.filter(
  ({ view, knownAtMs }) => view.kind === 'none' && knownAtMs === null,
);

/** Each cause of a camera that is down. */
export const brokenCameras: readonly Camera[] = ingestCauses
  .filter((cause) => cause !== 'none')
  .map((cause) => aCamera({ ...lost, ...offline({ cause }) }));
