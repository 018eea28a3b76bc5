/// <reference lib="dom" />
/** Markup and script in every text that a user may type: shown as text, on every screen that shows it. */
import { expect } from '@playwright/test';
import type { Camera } from '@nazar/contract/cameras.ts';
import type { FaceCategory } from '@nazar/contract/faces.ts';
import { Installation } from './installation.ts';
import { signInOn } from './people.ts';
import { test } from './test.ts';

/** Each calls `ran(number)` if anything of it is run. */
const payloads = [
  '<script>ran(N)</script>',
  '"><script>ran(N)</script>',
  "'><script>ran(N)</script>",
  '</script><script>ran(N)</script>',
  '<img src=x onerror=ran(N)>',
  '<img src=x onerror="ran(N)"//',
  '"><img src=x onerror=ran(N)>',
  '<svg onload=ran(N)>',
  '<svg><script>ran(N)</script></svg>',
  '<svg><animate onbegin=ran(N) attributeName=x dur=1s>',
  '<body onload=ran(N)>',
  '<iframe srcdoc="<script>parent.ran(N)</script>">',
  '<iframe src="javascript:parent.ran(N)">',
  '<object data="javascript:ran(N)">',
  '<embed src="javascript:ran(N)">',
  '<a href="javascript:ran(N)">x</a>',
  'javascript:ran(N)',
  'JaVaScRiPt:ran(N)',
  'java\tscript:ran(N)',
  'data:text/html,<script>ran(N)</script>',
  '<details open ontoggle=ran(N)>',
  '<input autofocus onfocus=ran(N)>',
  '<video><source onerror=ran(N)></video>',
  '<audio src=x onerror=ran(N)>',
  '<marquee onstart=ran(N)>',
  '<style>@import "javascript:ran(N)"</style>',
  '<style>*{background:url(javascript:ran(N))}</style>',
  '<link rel=stylesheet href="javascript:ran(N)">',
  '<base href="https://evil.example/">',
  '<meta http-equiv=refresh content="0;javascript:ran(N)">',
  '<form action="javascript:ran(N)"><button>x',
  '<math><mtext><img src=x onerror=ran(N)></mtext></math>',
  '<template><img src=x onerror=ran(N)></template>',
  '<noscript><p title="</noscript><img src=x onerror=ran(N)>">',
  '{{constructor.constructor("ran(N)")()}}',
  '${ran(N)}',
  '&lt;img src=x onerror=ran(N)&gt;',
  '%3Cimg src=x onerror=ran(N)%3E',
  '" onmouseover="ran(N)" x="',
  "' onfocus='ran(N)' autofocus x='",
];

let nazar: Installation;

test.beforeAll(async () => {
  nazar = await Installation.ready();
  const access = await nazar.signIn();
  const { results } = await nazar.get<{ results: FaceCategory[] }>(
    '/secure-api/faces/categories/',
    access,
  );
  expect(results.length).toBeGreaterThan(0);
  for (const [n, text] of payloads.map(
    (payload, i) => [i, payload.replaceAll('N', String(i))] as const,
  )) {
    // A name holds nothing that is not seen; a browser reads this as a tab all the same.
    const name = text.replaceAll('\t', '&Tab;');
    const camera = { name, description: text, location: name, username: `${n}${text}` };
    await nazar.post<Camera>('/secure-api/cameras/', access, camera);
    await nazar.post('/secure-api/faces/categories/', access, { name: name.slice(0, 60) });
  }
  const profile = {
    first_name: payloads[4],
    last_name: payloads[0],
    department: payloads[7],
    bio: payloads[2],
  };
  const reply = await nazar.call('PUT', '/secure-api/accounts/users/update_me/', {
    access,
    body: profile,
  });
  expect(reply.status).toBe(200);
});
test.afterAll(() => nazar.remove());

test('C-702, C-701 40 payloads in every text run nowhere and load nothing, on no screen', async ({
  page,
}) => {
  expect(payloads).toHaveLength(40);
  const wrong: string[] = [];
  await page.exposeFunction('ran', (n: number) => wrong.push(`payload ${n} ran`));
  page.on('dialog', (dialog) => {
    wrong.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('console', (message) => {
    if (message.type() === 'error') wrong.push(message.text());
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(nazar.origin) && !/^(data|blob):/.test(request.url())) {
      wrong.push(`asked for ${request.url()}`);
    }
  });
  await signInOn(page, nazar);
  const access = await nazar.signIn();
  const { results } = await nazar.get<{ results: Camera[] }>('/secure-api/cameras/', access);
  const [first] = results;
  const search = encodeURIComponent('<img src=x onerror=ran(99)>');
  const paths = [
    '/',
    '/cameras',
    `/cameras?search=${search}`,
    `/cameras/${first!.id}`,
    '/face-database',
  ];
  paths.push('/face-database?add=true', '/profile', '/security', `/cameras?edit=${first!.id}`);
  for (const path of paths) {
    await page.goto(nazar.origin + path);
    await page.locator('h1, h2').first().waitFor();
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
  }
  await page.goto(`${nazar.origin}/cameras?search=onload`);
  await expect(page.getByText('<svg onload=ran(7)>').first()).toBeVisible();
  expect(wrong).toEqual([]);
});

test('C-702 the listener does notice scripts that run', async ({ page }) => {
  const calls: number[] = [];
  await page.exposeFunction('ran', (n: number) => calls.push(n));
  await page.setContent('<img src=x onerror="ran(7)">');
  await expect.poll(() => calls).toEqual([7]);
});
