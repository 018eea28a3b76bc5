import { cameraRoutes, type Camera } from '@nazar/contract/cameras.ts';
import type { RecordingSettings, RecordingSettingsPatch } from '@nazar/contract/recording-plans.ts';
import { recordingRoutes } from '@nazar/contract/recordings.ts';
import { act, fireEvent, type queries, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse } from 'msw';
import { beforeEach, expect, test, vi } from 'vitest';
import { readerTimezone } from '#lib/local-day.ts';
import { aUser } from '#testing/builders.ts';
import { aCamera } from '#testing/cameras.ts';
import { fakeMedia } from '#testing/fake-media.ts';
import { aForecast, someSettings } from '#testing/recording-settings.ts';
import { aRecording } from '#testing/recordings.ts';
import { renderApp } from '#testing/render-app.tsx';
import { answer, fieldRefusal, refusal, type Seen } from '#testing/server.ts';

type Person = ReturnType<typeof userEvent.setup>;

let forecasts: Seen[] = [];
let saved: Seen[] = [];

/** Answers as the server: what was sent is what it has from then on. */
function keep(settings: RecordingSettings): void {
  let now = settings;
  answer(recordingRoutes.settings, () => now);
  saved = answer(recordingRoutes.changeSettings, ({ body }) => {
    now = { ...now, ...(body as Partial<RecordingSettings>) };
    return now;
  });
}

beforeEach(() => {
  fakeMedia();
  vi.spyOn(window, 'matchMedia').mockImplementation((media) =>
    Object.assign(new EventTarget(), { matches: media.includes('40rem'), media } as MediaQueryList),
  );
  answer(cameraRoutes.snapshot, new HttpResponse('jpeg'));
  answer(cameraRoutes.liveTicket, { ticket: 't', expires_at: '2026-01-02T03:04:05.000Z' });
  forecasts = answer(recordingRoutes.forecast, aForecast());
});

interface Opened {
  readonly person: Person;
  readonly dialog: ReturnType<typeof within<typeof queries>>;
}

const camera = (over: Partial<Camera> = {}): Camera => aCamera({ may_play: true, ...over });

async function open(settings: RecordingSettings, user = aUser()): Promise<Opened> {
  keep(settings);
  answer(cameraRoutes.list, { count: 1, results: [camera()] });
  answer(cameraRoutes.read, camera());
  await renderApp({ path: '/cameras', user });
  const person = userEvent.setup();
  await person.click(await screen.findByRole('button', { name: 'Actions for Main entrance' }));
  await person.click(await screen.findByRole('menuitem', { name: 'Recording Settings' }));
  const name = 'Recording Settings: Main entrance';
  const dialog = within(await screen.findByRole('dialog', { name }));
  await dialog.findByText(/Storage path/);
  return { person, dialog };
}

const save = ({ person, dialog }: Opened): Promise<void> =>
  person.click(dialog.getByRole('button', { name: 'Save Changes' }));
const field = (name: string): HTMLElement => screen.getByLabelText(new RegExp(`^${name}`));
const lastForecast = (): unknown => forecasts.at(-1)?.body;

test('~REC-030, ~REC-032, ~REC-036, ~ENT-012 the dialog shows what is set, with what is really recorded', async () => {
  const small = { stream: 'sub', width: 640, height: 360, sound: false } as const;
  const { qualities: same } = someSettings();
  const { dialog } = await open(someSettings({ qualities: { ...same, low: small, ultra: null } }));
  expect(field('Storage path')).toHaveValue(`/recordings/${aCamera().id}/`);
  expect(dialog.getByRole('switch', { name: /^Motion detection/ })).toBeChecked();
  expect(dialog.getByRole('switch', { name: /^Continuous recording/ })).not.toBeChecked();
  expect(dialog.getByRole('switch', { name: /^Schedule/ })).not.toBeChecked();
  expect(field('Retention')).toHaveValue(30);
  expect(field('Quality')).toHaveValue('medium');
  const qualities = within(field('Quality')).getAllByRole('option');
  expect(qualities.map(({ textContent }) => textContent)).toEqual([
    'Low (480p): records 640×360',
    'Medium (720p): records 1280×720',
    'High (1080p): records 1280×720',
    // Nothing is said of what isn't known.
    'Ultra (4K)',
  ]);
  expect(
    dialog.getByText(/is recorded, unchanged: Main stream, 1280×720, no sound\.$/),
  ).toBeVisible();
});

test('REC-030, ~REC-031, ~NSH-019, ~CFL-024 changes are sent to the server, and nothing else', async () => {
  const opened = await open(someSettings());
  const { person, dialog } = opened;
  await person.click(dialog.getByRole('switch', { name: /^Continuous recording/ }));
  await person.click(dialog.getByRole('switch', { name: /^Motion detection/ }));
  await person.clear(field('Retention'));
  await person.type(field('Retention'), '14');
  await person.selectOptions(field('Quality'), 'low');
  await person.clear(field('Storage path'));
  await person.type(field('Storage path'), '/recordings/gate/');
  await save(opened);
  expect(await screen.findByText('Recording settings saved.')).toBeVisible();
  expect(saved.map(({ body }) => body)).toEqual([
    {
      continuousRecording: true,
      motionDetection: false,
      retentionDays: 14,
      quality: 'low',
      storagePath: '/recordings/gate/',
    },
  ]);
  expect(saved[0]?.url.pathname).toBe(`/secure-api/cameras/${aCamera().id}/recording_settings/`);
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
});

test.each([
  ['0', 'The lowest value is 1.'],
  ['366', 'The highest value is 365.'],
  ['1.5', 'Enter a whole number.'],
  ['', 'Enter a number.'],
])('REC-035 %s days are refused beside the field, and nothing is lost', async (days, words) => {
  const opened = await open(someSettings());
  const { person, dialog } = opened;
  await person.selectOptions(field('Quality'), 'high');
  await person.clear(field('Retention'));
  if (days !== '') await person.type(field('Retention'), days);
  await save(opened);
  expect(await dialog.findByText(words)).toBeVisible();
  expect(field('Retention')).toBeInvalid();
  expect(field('Quality')).toHaveValue('high');
  expect(saved).toHaveLength(0);
  expect(dialog.getByText('Correct the fields above to see the forecast.')).toBeVisible();
});

test('~CFL-024 a path outside is refused beside its field, and nothing is lost', async () => {
  const opened = await open(someSettings());
  const { person, dialog } = opened;
  const words = "Recordings can't be kept there. Choose a folder below /recordings/.";
  saved = answer(recordingRoutes.changeSettings, fieldRefusal({ storagePath: [words] }));
  answer(recordingRoutes.forecast, fieldRefusal({ storagePath: [words] }));
  await person.clear(field('Storage path'));
  await person.type(field('Storage path'), '../x');
  await person.clear(field('Retention'));
  await person.type(field('Retention'), '7');
  await save(opened);
  await waitFor(() => expect(field('Storage path')).toBeInvalid());
  expect(field('Storage path')).toHaveAccessibleDescription(expect.stringContaining(words));
  expect(field('Storage path')).toHaveValue('../x');
  expect(field('Retention')).toHaveValue(7);
  expect(await dialog.findByText('Failed to save the recording settings.')).toBeVisible();
});

test('a failure says so, keeps what was entered and may be tried again', async () => {
  const opened = await open(someSettings());
  const { person, dialog } = opened;
  answer(recordingRoutes.changeSettings, refusal(500, 'internal', 'Something went wrong.'));
  await person.selectOptions(field('Quality'), 'ultra');
  await save(opened);
  expect(
    await dialog.findByText('Failed to save the recording settings. Something went wrong.'),
  ).toBeVisible();
  expect(field('Quality')).toHaveValue('ultra');
  keep(someSettings());
  await save(opened);
  expect(await screen.findByText('Recording settings saved.')).toBeVisible();
});

test('settings that cannot be loaded say so and are asked for again', async () => {
  answer(cameraRoutes.list, { count: 1, results: [camera()] });
  await renderApp({ path: '/cameras', user: aUser() });
  answer(recordingRoutes.settings, refusal(500, 'internal', 'Something went wrong.'));
  const person = userEvent.setup();
  await person.click(await screen.findByRole('button', { name: 'Actions for Main entrance' }));
  await person.click(await screen.findByRole('menuitem', { name: 'Recording Settings' }));
  expect(await screen.findByText("The recording settings couldn't be loaded")).toBeVisible();
  keep(someSettings());
  await person.click(screen.getByRole('button', { name: 'Retry' }));
  await waitFor(() => expect(field('Quality')).toHaveValue('medium'));
});

const scheduled = { timeZone: 'Asia/Baku', spans: [{ day: 1, from: '08:00', until: '12:00' }] };
const grid = (): HTMLElement => screen.getByRole('grid', { name: 'Recorded times of the week' });
const cell = (name: string): HTMLElement => within(grid()).getByLabelText(name);
const isOn = (name: string): boolean => cell(name).ariaSelected === 'true';
const sentSchedule = (): RecordingSettingsPatch['schedule'] =>
  (saved[0]!.body as RecordingSettingsPatch).schedule;

test('the table shows the week by the clocks of its place: half hours, all of which or none are recorded', async () => {
  await open(someSettings({ schedule: scheduled }));
  expect(within(grid()).getAllByRole('row')).toHaveLength(7);
  expect(grid().querySelectorAll('td')).toHaveLength(7 * 48);
  expect(field('Time zone')).toHaveValue('Asia/Baku');
  expect(isOn('Monday, 07:30 to 08:00')).toBe(false);
  expect(isOn('Monday, 08:00 to 08:30')).toBe(true);
  expect(isOn('Monday, 11:30 to 12:00')).toBe(true);
  expect(isOn('Monday, 12:00 to 12:30')).toBe(false);
  expect(isOn('Tuesday, 08:00 to 08:30')).toBe(false);
});

test('on phones it has hours', async () => {
  vi.mocked(window.matchMedia).mockImplementation((media) =>
    Object.assign(new EventTarget(), { matches: false, media } as MediaQueryList),
  );
  await open(someSettings({ schedule: scheduled }));
  expect(grid().querySelectorAll('td')).toHaveLength(7 * 24);
  expect(isOn('Monday, 11:00 to 12:00')).toBe(true);
});

test('a table that is new is by the clocks of the reader, and is not saved empty', async () => {
  const opened = await open(someSettings());
  const { person, dialog } = opened;
  await person.click(dialog.getByRole('switch', { name: /^Schedule/ }));
  expect(field('Time zone')).toHaveValue(readerTimezone());
  await save(opened);
  expect(
    await dialog.findByText('Select at least one time, or turn the schedule off.'),
  ).toBeVisible();
  expect(saved).toHaveLength(0);
});

test('by the keyboard: arrows move, Shift with arrows takes several, Space switches them', async () => {
  const opened = await open(someSettings({ schedule: scheduled }));
  const { person } = opened;
  act(() => grid().focus());
  const active = (): string | null | undefined =>
    document.getElementById(grid().getAttribute('aria-activedescendant') ?? '')?.ariaLabel;
  expect(active()).toBe('Monday, 00:00 to 00:30');
  await person.keyboard(' ');
  expect(isOn('Monday, 00:00 to 00:30')).toBe(true);
  await person.keyboard('{End}{ArrowDown}');
  expect(active()).toBe('Tuesday, 23:30 to 24:00');
  await person.keyboard('{Shift>}{ArrowLeft}{ArrowDown}{/Shift}');
  expect(screen.getByText('Tue – Wed, 23:00 to 24:00')).toBeVisible();
  await person.keyboard('{ArrowDown}');
  expect(screen.queryByText('Tue – Wed, 23:00 to 24:00')).not.toBeInTheDocument();
  expect(isOn('Wednesday, 23:00 to 23:30')).toBe(false);
  await person.keyboard('{ArrowUp}{Shift>}{ArrowUp}{ArrowRight}{/Shift}{Enter}{Home}');
  expect(isOn('Wednesday, 23:00 to 23:30')).toBe(true);
  expect(active()).toBe('Tuesday, 00:00 to 00:30');
  expect(saved).toHaveLength(0);
  await save(opened);
  await waitFor(() => expect(saved).toHaveLength(1));
  expect(sentSchedule()).toEqual({
    timeZone: 'Asia/Baku',
    spans: [
      { day: 1, from: '00:00', until: '00:30' },
      { day: 1, from: '08:00', until: '12:00' },
      { day: 2, from: '23:00', until: '24:00' },
      { day: 3, from: '23:00', until: '24:00' },
    ],
  });
});

Element.prototype.setPointerCapture = () => undefined;

/** A grid of 480 by 70: each half hour 10 wide, each day 10 high. */
function lay(): void {
  grid()
    .querySelectorAll('td')
    .forEach((one, index) => {
      const [left, top] = [(index % 48) * 10, Math.floor(index / 48) * 10];
      one.getBoundingClientRect = () => new DOMRect(left, top, 10, 10);
    });
}
const at = (x: number, y: number): object => ({
  clientX: x,
  clientY: y,
  button: 0,
  buttons: 1,
  pointerId: 1,
});

test.each(['mouse', 'touch'])('by %s: what is drawn over is switched', async (pointerType) => {
  const opened = await open(someSettings({ schedule: scheduled }));
  lay();
  fireEvent.pointerDown(grid(), { ...at(185, 5), pointerType });
  fireEvent.pointerMove(grid(), { ...at(235, 15), pointerType });
  expect(screen.getByText('Mon – Tue, 09:00 to 12:00')).toBeVisible();
  fireEvent.pointerUp(grid(), { ...at(235, 15), pointerType });
  expect(isOn('Monday, 08:30 to 09:00')).toBe(true);
  expect(isOn('Monday, 09:00 to 09:30')).toBe(false);
  // Beyond the edge the nearest cell counts; a drag that becomes scrolling is forgotten.
  fireEvent.pointerDown(grid(), { ...at(465, 65), pointerType });
  fireEvent.pointerMove(grid(), { ...at(900, 200), pointerType });
  fireEvent.pointerUp(grid(), { ...at(900, 200), pointerType });
  fireEvent.pointerDown(grid(), { ...at(5, 35), pointerType });
  fireEvent.pointerCancel(grid(), { pointerId: 1 });
  await save(opened);
  await waitFor(() => expect(saved).toHaveLength(1));
  expect(sentSchedule()?.spans).toEqual([
    { day: 1, from: '08:00', until: '09:00' },
    { day: 7, from: '23:00', until: '24:00' },
  ]);
});

test('precise times are typed; 10:00 to 09:00 gets a hint what to do, and a night is split', async () => {
  const opened = await open(someSettings({ schedule: scheduled }));
  const { person, dialog } = opened;
  const end = dialog.getByRole('textbox', { name: 'End of time 1' });
  await person.clear(dialog.getByRole('textbox', { name: 'Start of time 1' }));
  await person.type(dialog.getByRole('textbox', { name: 'Start of time 1' }), '10:00');
  await person.clear(end);
  await person.type(end, '9:00');
  await save(opened);
  const words = 'The end must be after the start. Split times that pass midnight.';
  expect(await dialog.findByText(words)).toBeVisible();
  expect(end).toBeInvalid();
  expect(end).toHaveValue('9:00');
  expect(dialog.getByText('Correct the schedule, then save again.')).toBeVisible();
  expect(saved).toHaveLength(0);
  await person.click(dialog.getByRole('button', { name: 'Split at midnight' }));
  expect(dialog.queryByText(words)).not.toBeInTheDocument();
  await person.click(dialog.getByRole('button', { name: 'Add a time' }));
  const third = dialog.getByRole('textbox', { name: 'End of time 3' });
  await person.clear(third);
  await person.type(third, '25:00');
  await person.tab();
  expect(dialog.getByText('Enter a time such as 08:30, up to 24:00.')).toBeVisible();
  await person.click(dialog.getByRole('button', { name: 'Remove time 3' }));
  await person.selectOptions(dialog.getByRole('combobox', { name: 'Day of time 2' }), 'Friday');
  await person.selectOptions(field('Time zone'), 'Europe/Berlin');
  await save(opened);
  await waitFor(() => expect(saved).toHaveLength(1));
  expect(sentSchedule()).toEqual({
    timeZone: 'Europe/Berlin',
    spans: [
      { day: 1, from: '10:00', until: '24:00' },
      { day: 5, from: '00:00', until: '09:00' },
    ],
  });
});

test('a table that is switched off is sent as none, and keeps its rows meanwhile', async () => {
  const opened = await open(someSettings({ schedule: scheduled }));
  const { person, dialog } = opened;
  const schedule = dialog.getByRole('switch', { name: /^Schedule/ });
  await person.click(schedule);
  expect(screen.queryByRole('grid')).not.toBeInTheDocument();
  await person.click(schedule);
  expect(isOn('Monday, 08:00 to 08:30')).toBe(true);
  await person.click(schedule);
  await save(opened);
  await waitFor(() => expect(saved.map(({ body }) => body)).toEqual([{ schedule: null }]));
});

test('~R-26 the forecast of what would be saved is shown in words, and asked again when the user pauses', async () => {
  const { person, dialog } = await open(someSettings());
  expect(
    await dialog.findByText('About 12.4 GB a day. 30 days fit on the disk.'),
  ).toBeInTheDocument();
  expect(lastForecast()).toEqual({});
  const before = forecasts.length;
  forecasts = answer(
    recordingRoutes.forecast,
    aForecast({ wanted_days: 365, kept_days: 72.5, recorded: null }),
  );
  await person.clear(field('Retention'));
  await person.type(field('Retention'), '365');
  expect(
    await dialog.findByText(
      'About 12.4 GB a day. About 72.5 days of 365 days fit on the disk. ' +
        'When the disk is full, the oldest recordings of all cameras on it are deleted first.',
    ),
  ).toBeInTheDocument();
  expect(before).toBe(1);
  expect(forecasts.map(({ body }) => body)).toEqual([{ retentionDays: 365 }]);
});

const forecastWords: [string, Parameters<typeof aForecast>[0]][] = [
  [
    'No forecast yet: nothing was recorded of this camera in the last 7 days.',
    { bytes_per_day: null, kept_days: null },
  ],
  ['With these settings nothing is recorded unless you start it manually.', { bytes_per_day: 0 }],
  [
    "About 12.4 GB a day. The disk isn't available, so it isn't known how many days fit.",
    { capacity_bytes: null, kept_days: null },
  ],
  [
    'About 12.4 GB a day. 30 days fit on the disk. This is based on the stream recorded until now. The other stream may need more or less space.',
    { recorded: { stream: 'sub', width: 640, height: 360, sound: false } },
  ],
];
test.each(forecastWords)('the forecast says: %s', async (words, over) => {
  forecasts = answer(recordingRoutes.forecast, aForecast(over));
  const { dialog } = await open(someSettings());
  expect(await dialog.findByText(words)).toBeInTheDocument();
});

test('~REC-036 another quality says which stream would be recorded', async () => {
  const { person, dialog } = await open(someSettings());
  await dialog.findByText(/GB a day/);
  answer(
    recordingRoutes.forecast,
    aForecast({ recorded: { stream: 'sub', width: 640, height: 360, sound: false } }),
  );
  await person.selectOptions(field('Quality'), 'low');
  expect(
    await dialog.findByText(/is recorded, unchanged: Substream, 640×360, no sound\.$/),
  ).toBeInTheDocument();
});

test('a forecast that fails says so and is asked for again; saving is not in its way', async () => {
  answer(recordingRoutes.forecast, refusal(500, 'internal', 'Something went wrong.'));
  const { person, dialog } = await open(someSettings());
  expect(await dialog.findByText(/^The forecast couldn't be made\./)).toBeInTheDocument();
  answer(recordingRoutes.forecast, aForecast());
  await person.click(dialog.getByRole('button', { name: 'Retry' }));
  expect(await dialog.findByText(/GB a day/)).toBeInTheDocument();
});

test('~NSH-049 a user who may play recordings and not change cameras reads the settings', async () => {
  const viewer = aUser({ role: 'user', is_staff: false, is_superuser: false });
  const spans = [...scheduled.spans, { day: 1, from: '14:00', until: '24:00' }];
  const { dialog } = await open(someSettings({ schedule: { ...scheduled, spans } }), viewer);
  expect(dialog.getByText('Only administrators can change these settings.')).toBeVisible();
  expect(dialog.getAllByRole('definition').map(({ textContent }) => textContent)).toEqual([
    'Off',
    'On',
    'Monday: 08:00–12:00, 14:00–24:00Asia/Baku',
    'Medium (720p)',
    'Main stream, 1280×720, no sound',
    '30 days',
    `/recordings/${aCamera().id}/`,
  ]);
  for (const role of ['textbox', 'switch', 'combobox', 'spinbutton', 'grid']) {
    expect(dialog.queryByRole(role), role).not.toBeInTheDocument();
  }
  expect(dialog.getAllByRole('button').map(({ ariaLabel }) => ariaLabel)).toEqual(['Close']);
  expect(forecasts).toHaveLength(0);
});

test('~REC-031 a user who saves second reads what the first one changed before anything is overwritten', async () => {
  const opened = await open(someSettings());
  const { person, dialog } = opened;
  await person.selectOptions(field('Quality'), 'high');
  await person.clear(field('Retention'));
  await person.type(field('Retention'), '60');
  keep(someSettings({ retentionDays: 7, motionDetection: false }));
  await save(opened);
  expect(await dialog.findByRole('alert')).toHaveTextContent(
    'Someone else changed these settings meanwhile: motion detection and retention.',
  );
  expect(saved).toHaveLength(0);
  await person.click(dialog.getByRole('button', { name: 'Keep my changes' }));
  expect(dialog.getByRole('switch', { name: /^Motion detection/ })).not.toBeChecked();
  expect(field('Retention')).toHaveValue(60);
  expect(dialog.queryByRole('alert')).not.toBeInTheDocument();
  await save(opened);
  await waitFor(() =>
    expect(saved.map(({ body }) => body)).toEqual([{ quality: 'high', retentionDays: 60 }]),
  );
});

test('~REC-031 the settings of the other person can be taken instead', async () => {
  const opened = await open(someSettings());
  const { person, dialog } = opened;
  await person.selectOptions(field('Quality'), 'high');
  keep(someSettings({ schedule: scheduled }));
  await save(opened);
  await person.click(await dialog.findByRole('button', { name: 'Use their settings' }));
  expect(field('Quality')).toHaveValue('medium');
  expect(isOn('Monday, 08:00 to 08:30')).toBe(true);
  expect(saved).toHaveLength(0);
});

test('~REC-039 a test is watched while it runs, and its recording is found and played', async () => {
  const { person, dialog } = await open(someSettings());
  const ends = new Date(Date.now() + 60_000).toISOString();
  const tested = camera({
    is_recording: true,
    recording_reason: 'test',
    recording_state: 'recording',
  });
  answer(recordingRoutes.test, { ends_at: ends });
  answer(cameraRoutes.read, tested);
  vi.useFakeTimers({ shouldAdvanceTime: true });
  try {
    await person.click(dialog.getByRole('button', { name: 'Record a Test' }));
    expect(await dialog.findByText(/^The test ends in \d+ sec\./)).toBeVisible();
    expect(await dialog.findByText(/Recording a test$/)).toBeVisible();
    const recording = aRecording({
      cameraId: tested.id,
      type: 'test',
      endTime: ends,
      duration: 60,
      bytes: 12_400_000,
    });
    answer(recordingRoutes.newest, { newest: recording });
    await act(() => vi.advanceTimersByTimeAsync(61_000));
    expect(await dialog.findByText(/^The test was recorded: 60 sec, 12\.4 MB\./)).toBeVisible();
    expect(dialog.getByRole('link', { name: 'Play it' })).toHaveAttribute(
      'href',
      `/recordings/${tested.id}?recording=${recording.id}`,
    );
  } finally {
    vi.useRealTimers();
  }
});

test('~REC-039 a test that recorded nothing says so, with the reason', async () => {
  const { person, dialog } = await open(someSettings());
  answer(recordingRoutes.test, { ends_at: new Date(Date.now() + 60_000).toISOString() });
  answer(cameraRoutes.read, camera({ recording_reason: 'test', recording_state: 'disk_full' }));
  answer(recordingRoutes.newest, { newest: null });
  vi.useFakeTimers({ shouldAdvanceTime: true });
  try {
    await person.click(dialog.getByRole('button', { name: 'Record a Test' }));
    await dialog.findByText(/Not recording: the disk is full$/);
    await act(() => vi.advanceTimersByTimeAsync(61_000));
    expect(await dialog.findByText('The test is being saved...')).toBeVisible();
    await act(() => vi.advanceTimersByTimeAsync(20_000));
    expect(await dialog.findByText(/^The test recorded nothing\./)).toBeVisible();
  } finally {
    vi.useRealTimers();
  }
});

test('a test of a camera that is not active says what to do', async () => {
  const { person, dialog } = await open(someSettings());
  const words = "The camera isn't active. Activate it first.";
  answer(recordingRoutes.test, refusal(409, 'camera_not_active', words));
  await person.click(dialog.getByRole('button', { name: 'Record a Test' }));
  expect(await dialog.findByText(words)).toBeVisible();
});
