/// <reference lib="dom" />
/** A week of visits, entries and lines, with which a page is answered in place of the server. */
import type { Page, Route } from '@playwright/test';
import type {
  CameraDetails,
  CameraStats,
  DailyVisits,
  GroupedCounts,
  PersonStats,
  RecognitionStats,
} from '@nazar/contract/visit-counts.ts';
import type { MatchExplanation } from '@nazar/contract/faces.ts';
import type { Visit, DetailedVisit, VisitDecision, VisitPage } from '@nazar/contract/visits.ts';
import {
  systemLogLevels,
  type SystemLogEntry,
  type SystemLogSource,
} from '@nazar/contract/system-logs.ts';

export const idOf = (digit: number): string =>
  `${String(digit).repeat(8)}-0000-7000-8000-000000000000`;
const names = ['Leyla Orucova', 'Андрей Соколов', 'Əli Məmmədov', 'Ayşe Yıldız', 'Nigar'];
const places = ['Main entrance', 'Reception', 'Car park', 'Loading bay with a long name, north'];

const people: PersonStats[] = names.map((person_name, index) => ({
  person_name,
  person_id: idOf(index + 1),
  key: idOf(index + 1),
  total_detections: 420 - index * 83,
  recognized_count: 420 - index * 83,
  unrecognized_count: 0,
  first_seen: '2026-03-02T05:12:07.000Z',
  last_seen: '2026-03-08T15:41:07.000Z',
  cameras: 4 - (index % 3),
}));

const cameras: CameraStats[] = places.map((camera_name, index) => ({
  camera_id: idOf(index + 1),
  camera_name,
  total_detections: 900 - index * 230,
  recognized_count: 640 - index * 180,
  unrecognized_count: 260 - index * 50,
}));

export const visits: Visit[] = Array.from({ length: 12 }, (_, index) => {
  const who = index % 3 === 2 ? null : index % names.length;
  const id = `0190f7c1-0000-7000-8000-0000000000${String(index).padStart(2, '0')}`;
  return {
    id,
    person_name: who === null ? 'Unknown' : names[who]!,
    person_id: who === null ? null : idOf(who + 1),
    camera_id: idOf(1 + (index % 4)),
    camera_name: places[index % 4]!,
    timestamp: new Date(Date.UTC(2026, 2, 8 - Math.floor(index / 5), 14 - index)).toISOString(),
    ended_at: new Date(Date.UTC(2026, 2, 8 - Math.floor(index / 5), 14 - index, 1)).toISOString(),
    confidence: who === null ? null : 0.9,
    is_recognized: who !== null,
    // The second one is older than pictures are kept.
    face_image_url: index === 1 ? null : `/secure-api/activity-log/face-logs/${id}/image/`,
    picture_hidden: false,
    location: '',
    is_corrected: false,
    attributes: null,
    may_play: true,
    recorded_at: new Date(Date.UTC(2026, 2, 8 - Math.floor(index / 5), 14 - index)).toISOString(),
  };
});

/** Whether a user has taken back the name of the first visit of the list. */
let isCorrected = false;
const recognizedThen: VisitDecision = {
  kind: 'recognized',
  at: '2026-03-08T14:00:01.000Z',
  by: null,
  entry: null,
  name: null,
  confidence: 0.9,
  pack: 'ultraface-mobilefacenet@3',
};
const read = (visit: Visit): DetailedVisit => {
  const details = {
    ...visit,
    unknown: null,
    may_correct: visit.person_id !== null && visit.face_image_url !== null,
    decisions: visit.person_id === null ? [] : [recognizedThen],
  };
  const unknown = { id: idOf(7), number: 14 };
  if (visit.person_id === null) return { ...details, unknown };
  if (visit.id !== visits[0]!.id || !isCorrected) return details;
  const noPerson = {
    person_name: 'Unknown',
    person_id: null,
    is_recognized: false,
    confidence: null,
  };
  return { ...details, ...noPerson, unknown, is_corrected: true };
};
const explanation: MatchExplanation = {
  verdict: 'match',
  pack: 'ultraface-mobilefacenet@3',
  quality: 0.72,
  gallery_size: 128,
  limit: 0.75,
  lead: 1.4,
  nearest: people.slice(0, 3).map(({ person_name: name, person_id: id }, index) => ({
    person_id: index === 2 ? null : id,
    name: index === 2 ? 'Known person' : name,
    probability: 0.94 - index * 0.4,
    photos: Array.from({ length: index === 2 ? 0 : 2 }, (_, photo) => ({
      image_id: idOf(photo + 1),
      image: `/secure-api/faces/${id}/images/${idOf(photo + 1)}/`,
      quality: 0.8,
      probability: 0.94 - index * 0.4 - photo * 0.05,
    })),
  })),
};

function grouped(by: string | null): GroupedCounts {
  const keys =
    by === 'day'
      ? Array.from({ length: 7 }, (_, day) => `2026-03-0${day + 2}`)
      : Array.from({ length: 7 * 24 }, (_, at) => `${Math.floor(at / 24) + 1}-${at % 24}`);
  const results = keys.map((key, index) => {
    const hour = by === 'day' ? 13 : index % 24;
    const total = Math.max(0, 40 - Math.abs(hour - 13) * 6 + ((index * 7) % 11));
    const recognized = Math.round(total * 0.7);
    return { key, name: '', total, recognized, unrecognized: total - recognized };
  });
  const sum = (of: (row: (typeof results)[number]) => number): number =>
    results.reduce((all, row) => all + of(row), 0);
  return {
    total: sum((row) => row.total),
    recognized: sum((row) => row.recognized),
    unrecognized: sum((row) => row.unrecognized),
    results,
  };
}

const stats: RecognitionStats = {
  total: 2140,
  recognized: 1498,
  unrecognized: 642,
  success_rate: 70,
};
const week: VisitPage = { count: 2140, results: visits };
const details: CameraDetails = {
  ...cameras[0]!,
  first_detection: '2026-03-02T05:12:07.000Z',
  last_detection: '2026-03-08T15:41:07.000Z',
  unique_persons: 5,
  recent_logs: visits.slice(0, 5),
};
const daily: DailyVisits[] = people.map((person, index) => ({
  id: `2026-03-0${8 - index}.${person.person_id}`,
  date: `2026-03-0${8 - index}`,
  person_name: person.person_name,
  person_id: person.person_id,
  detection_count: 40 - index,
  recognized_count: 40 - index,
  unrecognized_count: 0,
  first_seen: '2026-03-08T05:12:07.000Z',
  last_seen: '2026-03-08T15:41:07.000Z',
}));

const lines: SystemLogEntry[] = Array.from({ length: 20 }, (_, index) => {
  const timestamp = new Date(Date.UTC(2026, 2, 8, 14, 59 - index, 7)).toISOString();
  return {
    id: `0190f7c2-0000-7000-8000-0000000000${String(index).padStart(2, '0')}`,
    level: systemLogLevels[index % 4]!,
    message: index === 5 ? '' : `a camera did not answer for ${index + 3} s, and is asked again`,
    source: ['media', 'cameras', 'browser', 'vision'][index % 4]!,
    user: index % 4 === 2 ? idOf(1) : null,
    user_name: index % 4 === 2 ? names[0]! : '',
    timestamp,
    repeats: index === 1 ? 12 : 1,
    last_at: timestamp,
    details: index % 2 === 0 ? { cameraId: idOf(2), err: { type: 'Error', stack: 'at a' } } : {},
  };
});
const sources: SystemLogSource[] = [
  { source: 'accounts', level: 'info', debug_until: null },
  { source: 'cameras', level: 'warning', debug_until: null },
  { source: 'media', level: 'debug', debug_until: '2026-03-08T15:41:07.000Z' },
  { source: 'vision', level: 'error', debug_until: null },
];
const levels = systemLogLevels.map((name, index) => ({ name, value: 12 * 7 ** index }));

const answers: readonly (readonly [ending: string, answer: (url: URL) => unknown])[] = [
  ['face-logs/counts/', (url) => grouped(url.searchParams.get('by'))],
  ['face-recognition-stats/', () => stats],
  ['log-count-by-level/', () => levels],
  [
    'log-count-by-type/',
    () => [
      { name: 'activity', value: 940 },
      { name: 'system', value: 4800 },
      { name: 'face_recognition', value: 2140 },
    ],
  ],
  ['system-logs/', () => ({ count: 5000, more: false, results: lines })],
  ['system-logs/sources/', () => ({ results: sources })],
  [
    'system-logs/stats/',
    () => [{ source: 'media', error: 12, warning: 84, info: 588, debug: 4116 }],
  ],
  [
    'face-logs/by-person/',
    ({ searchParams }) => {
      const id = searchParams.get('person_id');
      return { results: people.filter(({ person_id }) => id === null || id === person_id) };
    },
  ],
  ['face-logs/by-date/', () => cameras],
  ['face-logs/camera-details/', () => details],
  ['daily-face-logs/by-date-range/', () => ({ count: 45, results: daily })],
  [
    'face-logs/',
    ({ searchParams }) => ({
      ...week,
      results: visits.slice(0, Number(searchParams.get('limit'))),
    }),
  ],
  [
    'activity-log/cameras/',
    () => ({ results: cameras.map(({ camera_id: id, camera_name: name }) => ({ id, name })) }),
  ],
];

/** A face as the camera or a photo shows it: of one colour. */
async function portrait(): Promise<Buffer> {
  const { default: sharp } = await import('sharp');
  const background = { r: 150, g: 120, b: 100 };
  return sharp({ create: { width: 160, height: 160, channels: 3, background } })
    .jpeg()
    .toBuffer();
}

/** What is asked of one visit, and said of it. */
async function beOneVisit(page: Page): Promise<void> {
  const body = await portrait();
  for (const pictures of ['activity-log/face-logs/*/image/', 'faces/*/images/**']) {
    const path = `**/secure-api/${pictures}`;
    await page.route(path, (route) => route.fulfill({ body, contentType: 'image/jpeg' }));
  }
  for (const visit of visits) {
    const path = `**/secure-api/activity-log/face-logs/${visit.id}/`;
    await page.route(path, (route) => route.fulfill({ json: read(visit) }));
    await page.route(`${path}explanation/`, (route) => route.fulfill({ json: explanation }));
    await page.route(`${path}not_this_person/`, (route) => {
      isCorrected = route.request().method() === 'POST';
      return route.fulfill({ json: read(visit) });
    });
  }
}

/** From now on this page sees a busy week; everything else is the server's. */
export async function beBusy(page: Page): Promise<void> {
  await page.route('**/secure-api/activity-log/**', (route: Route) => {
    const url = new URL(route.request().url());
    const found = answers.find(([ending]) => url.pathname.endsWith(ending));
    return found === undefined ? route.fallback() : route.fulfill({ json: found[1](url) });
  });
  await beOneVisit(page);
}
