import { cameraGroupRoutes } from '@nazar/contract/access.ts';
import { alertRuleRoutes, type AlertRule } from '@nazar/contract/alert-rules.ts';
import { faceRoutes } from '@nazar/contract/faces.ts';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { showLanguage } from '#lib/i18n.ts';
import { aRule, lobby, openAlerts, plainUser } from '#testing/alerts.ts';
import { anId } from '#testing/builders.ts';
import { answer, refusal } from '#testing/server.ts';

const outside = {
  id: anId(),
  name: 'Outside',
  description: '',
  cameras: [lobby.id],
};
const vip = { id: anId(), name: 'vip', color: '#2563eb' };

let rules: AlertRule[];
beforeEach(() => {
  rules = [
    aRule(),
    aRule({
      kind: 'watched_person',
      level: 'critical',
      cameras: [lobby.id],
      categories: [vip.id],
    }),
  ];
  answer(faceRoutes.categories, { results: [vip] });
});

const unknown = 'When an unknown person is seen at any camera, raise a warning.';
const watched = 'When a person of VIP is seen at Lobby, raise a critical alert.';

test('administrators read each rule as a sentence, and turn it off', async () => {
  await openAlerts({ more: '?tab=rules', rules });
  expect(await screen.findByText(unknown)).toBeVisible();
  expect(await screen.findByText(watched)).toBeVisible();
  const sent = answer(alertRuleRoutes.change, { ...rules[0]!, is_enabled: false });
  await userEvent.click(screen.getByRole('switch', { name: `Rule is on: ${unknown}` }));
  await waitFor(() => expect(sent[0]?.body).toEqual({ is_enabled: false }));
  expect(sent[0]?.params['id']).toBe(rules[0]!.id);
});

test('no other user sees the rules, whatever the address says', async () => {
  await openAlerts({ more: '?tab=rules', user: plainUser() });
  expect(await screen.findByRole('list', { name: 'Alerts' })).toBeVisible();
  expect(screen.queryByRole('tab')).toBeNull();
});

test('a rule is added: its kind, level, cameras and categories, and what is missing is said first', async () => {
  await openAlerts({ more: '?tab=rules', rules: [] });
  await screen.findByText('No rules');
  const sent = answer(alertRuleRoutes.add, rules[1]!);
  await userEvent.click(screen.getByRole('button', { name: 'Add rule' }));
  const dialog = await screen.findByRole('dialog', { name: 'Add rule' });
  await userEvent.selectOptions(
    within(dialog).getByRole('combobox', { name: "What it's about" }),
    'Person of a category',
  );
  await userEvent.selectOptions(
    within(dialog).getByRole('combobox', { name: 'Level' }),
    'Critical',
  );
  await userEvent.click(within(dialog).getByRole('radio', { name: 'Selected cameras' }));
  const save = within(dialog).getByRole('button', { name: 'Save' });
  await userEvent.click(save);
  expect(within(dialog).getByText('Choose at least one camera.')).toBeVisible();
  await userEvent.click(within(dialog).getByRole('checkbox', { name: 'Lobby' }));
  await userEvent.click(save);
  expect(within(dialog).getByText('Choose at least one category.')).toBeVisible();
  await userEvent.click(await within(dialog).findByRole('checkbox', { name: 'VIP' }));
  expect(within(dialog).getByText(watched)).toBeVisible();
  const quiet = within(dialog).getByRole('textbox', { name: 'Quiet time in minutes' });
  await userEvent.clear(quiet);
  await userEvent.type(quiet, '2000');
  await userEvent.click(save);
  expect(within(dialog).getByText('Enter 1 to 1,440 minutes.')).toBeVisible();
  await userEvent.clear(quiet);
  await userEvent.type(quiet, '30');
  await userEvent.click(save);
  await waitFor(() =>
    expect(sent[0]?.body).toEqual({
      kind: 'watched_person',
      level: 'critical',
      is_enabled: true,
      cameras: [lobby.id],
      camera_groups: [],
      categories: [vip.id],
      schedule: null,
      modes: ['home', 'away'],
      visits: 3,
      confidence_percent: 0,
      quiet_minutes: 30,
    }),
  );
});

test('a rule counts at groups of cameras, at times of a week and in a mode, and says so in its sentence', async () => {
  answer(cameraGroupRoutes.list, { results: [outside] });
  await openAlerts({ more: '?tab=rules', rules: [rules[0]!] });
  await userEvent.click(await screen.findByRole('button', { name: `Edit: ${unknown}` }));
  const dialog = await screen.findByRole('dialog', { name: 'Edit rule' });
  const sent = answer(alertRuleRoutes.change, rules[0]!);
  const save = within(dialog).getByRole('button', { name: 'Save' });
  await userEvent.click(within(dialog).getByRole('radio', { name: 'Selected cameras' }));
  await userEvent.click(save);
  expect(within(dialog).getByText('Choose at least one camera.')).toBeVisible();
  await userEvent.click(await within(dialog).findByRole('checkbox', { name: 'Outside' }));
  await userEvent.click(within(dialog).getByRole('switch', { name: /^Only at set times/ }));
  await userEvent.click(save);
  expect(within(dialog).getByText('Correct the times of the rule, then save again.')).toBeVisible();
  await userEvent.click(within(dialog).getByRole('button', { name: 'Add a time' }));
  for (const mode of ['Home', 'Away']) {
    await userEvent.click(within(dialog).getByRole('checkbox', { name: mode }));
  }
  await userEvent.click(save);
  expect(within(dialog).getByText('Choose at least one mode.')).toBeVisible();
  await userEvent.click(within(dialog).getByRole('checkbox', { name: 'Away' }));
  expect(
    within(dialog).getByText(
      'When an unknown person is seen at the cameras of Outside, Mon 09:00–17:00, while the mode is Away, raise a warning.',
    ),
  ).toBeVisible();
  await userEvent.click(save);
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  await waitFor(() =>
    expect(sent[0]?.body).toEqual({
      level: 'warning',
      is_enabled: true,
      cameras: [],
      camera_groups: [outside.id],
      categories: [],
      schedule: { timeZone, spans: [{ day: 1, from: '09:00', until: '17:00' }] },
      modes: ['away'],
      visits: 3,
      confidence_percent: 0,
      quiet_minutes: 10,
    }),
  );
});

test.each([
  [
    'en',
    'When the same unknown person is seen 5 times at any camera, raise a warning.',
    'When a known person who is not of VIP is seen at Lobby, with a confidence of at least 80%, raise a critical alert.',
  ],
  [
    'az',
    'Eyni naməlum şəxs 5 dəfə görünəndə (istənilən kamera): diqqət xəbərdarlığı yarat.',
    'Bu kateqoriyalardan olmayan tanınan şəxs görünəndə (VIP; Lobby), əminlik ən azı 80% olanda: kritik xəbərdarlıq yarat.',
  ],
  [
    'ru',
    'Когда один и тот же неизвестный замечен 5 раз (любая камера): создать предупреждение.',
    'Когда замечен известный человек не из категорий (VIP; Lobby), с уверенностью не менее 80 %: создать критическое оповещение.',
  ],
  [
    'tr',
    'Aynı bilinmeyen kişi 5 kez görüldüğünde (herhangi bir kamera): dikkat uyarısı oluştur.',
    'Şu kategorilerden olmayan tanınan bir kişi görüldüğünde (VIP; Lobby), güven en az %80 olduğunda: kritik uyarı oluştur.',
  ],
] as const)(
  'who comes again and whom a rule leaves out read well in %s',
  async (language, again, known) => {
    const ofKnown = { kind: 'known_person', level: 'critical', confidence_percent: 80 } as const;
    await openAlerts({
      more: '?tab=rules',
      rules: [
        aRule({ kind: 'returning_stranger', visits: 5 }),
        aRule({ ...ofKnown, cameras: [lobby.id], categories: [vip.id] }),
      ],
    });
    await showLanguage(language);
    await waitFor(() => expect(document.body).toHaveTextContent(known));
    expect(document.body).toHaveTextContent(again);
    await showLanguage('en');
  },
);

test('a rule names how many of its cameras and groups were deleted, and can be saved without them', async () => {
  const [gone, goneGroup] = [anId(), anId()];
  const rule = aRule({ cameras: [gone, lobby.id], camera_groups: [goneGroup, outside.id] });
  answer(cameraGroupRoutes.list, { results: [outside] });
  await openAlerts({ more: '?tab=rules', rules: [rule] });
  const sentence =
    'When an unknown person is seen at Lobby, 1 deleted camera, the cameras of Outside, and 1 deleted group, raise a warning.';
  await userEvent.click(await screen.findByRole('button', { name: `Edit: ${sentence}` }));
  const dialog = await screen.findByRole('dialog', { name: 'Edit rule' });
  const sent = answer(alertRuleRoutes.change, rule);
  const deleted = within(dialog).getByRole('checkbox', { name: 'Deleted camera' });
  expect(deleted).toBeChecked();
  await userEvent.click(deleted);
  expect(deleted).not.toBeChecked();
  await userEvent.click(within(dialog).getByRole('checkbox', { name: 'Deleted group' }));
  await userEvent.click(within(dialog).getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.body).toMatchObject({ cameras: [lobby.id], camera_groups: [outside.id] });
});

test('what a rule about people asks for is typed, checked, and sent where its kind has it', async () => {
  await openAlerts({ more: '?tab=rules', rules: [] });
  await screen.findByText('No rules');
  await userEvent.click(screen.getByRole('button', { name: 'Add rule' }));
  const dialog = await screen.findByRole('dialog', { name: 'Add rule' });
  const field = (name: string) => within(dialog).getByRole('textbox', { name });
  const type = async (name: string, text: string) => {
    await userEvent.clear(field(name));
    await userEvent.type(field(name), text);
  };
  const kind = within(dialog).getByRole('combobox', { name: "What it's about" });
  const save = within(dialog).getByRole('button', { name: 'Save' });
  const sent = answer(alertRuleRoutes.add, rules[0]!);
  await userEvent.selectOptions(kind, 'Unknown person who comes again');
  await type('From which visit on', '1');
  await userEvent.click(save);
  expect(within(dialog).getByText('Enter from which visit on: 2 to 100.')).toBeVisible();
  await userEvent.selectOptions(kind, 'Known person');
  await type('Confidence at least, in percent', '101');
  await userEvent.click(save);
  expect(within(dialog).getByText('Enter a confidence of 0 to 100 percent.')).toBeVisible();
  await type('Confidence at least, in percent', '85');
  await userEvent.click(within(dialog).getByRole('checkbox', { name: 'VIP' }));
  await userEvent.click(save);
  await waitFor(() =>
    expect(sent[0]?.body).toEqual({
      kind: 'known_person',
      level: 'warning',
      is_enabled: true,
      cameras: null,
      camera_groups: [],
      categories: [vip.id],
      schedule: null,
      modes: ['home', 'away'],
      visits: 3,
      confidence_percent: 85,
      quiet_minutes: 10,
    }),
  );
});

test('a rule about warnings has neither times nor modes', async () => {
  await openAlerts({ more: '?tab=rules', rules: [aRule({ kind: 'camera_down', level: 'error' })] });
  await userEvent.click(await screen.findByRole('button', { name: /^Edit:/ }));
  const dialog = await screen.findByRole('dialog', { name: 'Edit rule' });
  expect(within(dialog).getByRole('radio', { name: 'Selected cameras' })).toBeVisible();
  expect(within(dialog).queryByRole('switch', { name: /^Only at set times/ })).toBeNull();
  expect(within(dialog).queryByRole('group', { name: 'In which mode' })).toBeNull();
});

const limited = () =>
  aRule({
    cameras: [lobby.id],
    camera_groups: [outside.id],
    schedule: {
      timeZone: 'Asia/Baku',
      spans: [1, 2, 3].map((day) => ({ day, from: '22:00', until: '24:00' })),
    },
    modes: ['home'],
  });

test.each([
  [
    'en',
    'When an unknown person is seen at Lobby and the cameras of Outside, Mon – Wed 22:00–24:00 (Asia/Baku), while the mode is Home, raise a warning.',
  ],
  [
    'az',
    'Naməlum şəxs görünəndə (Lobby və “Outside” qrupunun kameraları), B.E. – Ç. 22:00–24:00 (Asia/Baku), “Evdə” rejimində: diqqət xəbərdarlığı yarat.',
  ],
  [
    'ru',
    'Когда замечен неизвестный (Lobby и камеры группы «Outside»), пн – ср 22:00–24:00 (Asia/Baku), в режиме «Дома»: создать предупреждение.',
  ],
  [
    'tr',
    'Bilinmeyen bir kişi görüldüğünde (Lobby ve “Outside” grubunun kameraları), Pzt – Çar 22:00–24:00 (Asia/Baku), “Evde” modundayken: dikkat uyarısı oluştur.',
  ],
] as const)('a rule with all its limits is one sentence in %s', async (language, sentence) => {
  answer(cameraGroupRoutes.list, { results: [outside] });
  await openAlerts({ more: '?tab=rules', rules: [limited()] });
  await showLanguage(language);
  await waitFor(() => expect(document.body).toHaveTextContent(sentence));
  await showLanguage('en');
});

test('a rule is deleted after a question that names it; what is refused stands there', async () => {
  await openAlerts({ more: '?tab=rules', rules });
  await userEvent.click(await screen.findByRole('button', { name: `Delete: ${unknown}` }));
  const asks = await screen.findByRole('alertdialog', { name: 'Delete rule?' });
  expect(asks).toHaveTextContent(unknown);
  answer(alertRuleRoutes.remove, refusal(404, 'alert_rule_not_found', 'It is gone.'));
  await userEvent.click(within(asks).getByRole('button', { name: 'Delete rule' }));
  expect(await within(asks).findByText('It is gone.')).toBeVisible();
  const sent = answer(alertRuleRoutes.remove, undefined as never);
  await userEvent.click(within(asks).getByRole('button', { name: 'Delete rule' }));
  await waitFor(() => expect(sent[0]?.params['id']).toBe(rules[0]!.id));
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
});
