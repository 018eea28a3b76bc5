/** A camera that misbehaves, as its card on the Cameras page reports it, and that it recovers by itself. */
import { expect, type Page } from '@playwright/test';
import type { Camera } from '@nazar/contract/cameras.ts';
import type { Behaviour } from './farm/behaviour.ts';
import { makeFilm } from './farm/film.ts';
import { RtspCamera } from './farm/rtsp-camera.ts';
import { Installation } from './installation.ts';
import { signInOn } from './people.ts';
import { test } from './test.ts';

test.describe.configure({ mode: 'serial' });

let nazar: Installation;
let farm: RtspCamera;
let page: Page;
let access: string;
let cameraId: string;

/** what is wrong is known within ten seconds; the page receives it at once. */
const noticedMs = 12_000;
/** Back-off begins again at a second or two once a camera was live. */
const recoveredMs = 40_000;

const credentials = { scheme: 'digest', username: 'viewer', password: 'first-secret' } as const;

test.beforeAll(async ({ browser }) => {
  farm = await RtspCamera.start({ film: makeFilm(), credentials });
  nazar = await Installation.ready();
  access = await nazar.signIn();
  const camera = await nazar.post<Camera>('/secure-api/cameras/', access, fields());
  cameraId = camera.id;
  page = await browser.newPage();
  await signInOn(page, nazar);
  await page.goto(`${nazar.origin}/cameras`);
  await says(/^Live · /, recoveredMs);
});
test.afterAll(async () => {
  await page?.close();
  await nazar.remove();
  await farm[Symbol.asyncDispose]();
});

const fields = (password: string = credentials.password): object => ({
  name: 'Entrance',
  location: 'Hall',
  type: 'rtsp',
  status: 'active',
  url: farm.url,
  username: credentials.username,
  password,
});

async function says(sentence: RegExp, withinMs: number): Promise<void> {
  await expect(page.getByText(sentence).first()).toBeVisible({ timeout: withinMs });
}

/** A camera that falls silent keeps its connection; one that answers differently is asked anew. */
function behave(behaviour: Behaviour): void {
  farm.behaviour = behaviour;
  if (behaviour.kind === 'rubbish' || behaviour.kind === 'refuse') farm.cut();
}

const troubles: readonly { what: string; behaviour: Behaviour; sentence: RegExp }[] = [
  {
    what: 'goes silent',
    behaviour: { kind: 'hang', after: 0 },
    sentence: /(Stalled|Offline) since .*: /,
  },
  {
    what: 'sends rubbish',
    behaviour: { kind: 'rubbish', after: 0 },
    sentence: /(Stalled since .*|Offline since .*|Connecting): /,
  },
  { what: 'refuses the password', behaviour: { kind: 'refuse' }, sentence: /refused the password/ },
];

for (const { what, behaviour, sentence } of troubles) {
  test(`R-04, R-07 a camera that ${what} shows that on its card`, async () => {
    test.setTimeout(120_000);
    behave(behaviour);
    await says(sentence, noticedMs);
    if (behaviour.kind === 'refuse') return; // what follows is the next test
    behave({ kind: 'ok' });
    await says(/^Live · /, recoveredMs);
  });
}

test('CAM-035, NSH-016 a corrected password is tried at once, and the camera is live again', async () => {
  behave({ kind: 'ok' });
  farm.credentials = { ...credentials, password: 'second-secret' };
  const reply = await nazar.call('PUT', `/secure-api/cameras/${cameraId}/`, {
    access,
    body: fields('second-secret'),
  });
  expect(reply.status).toBe(200);
  await says(/^Live · /, recoveredMs);
});

test('CAM-044 a deactivated camera shows no picture and says why', async () => {
  await nazar.call('PATCH', `/secure-api/cameras/${cameraId}/update_status/`, {
    access,
    body: { status: 'inactive' },
  });
  await says(/Camera inactive/, noticedMs);
  await expect(page.locator('video')).toHaveCount(0);
});
