import assert from 'node:assert/strict';
import { test } from 'node:test';
import { languages } from '@nazar/contract/accounts.ts';
import { readSmtpUrl } from './mail.ts';
import { NotSent } from './smtp.ts';
import { compose, timeIn } from './templates.ts';

const origin = 'https://nazar.example.org';

test('LNG-001 an email is written in the language of its receiver, as text and as HTML', () => {
  const written = languages.map((language) => {
    const url = `${origin}/reset-password/u/t`;
    const action = { label: 'reset.action', url } as const;
    const template = { subject: 'reset.subject', before: ['reset.asked'], action } as const;
    const email = compose(language, template, origin);
    assert.ok(email.text.includes(`\n${url}\n`), language);
    assert.ok(email.html.includes(`href="${url}"`) && email.html.includes(`lang="${language}"`));
    assert.ok(email.text.includes(origin));
    return email.subject + email.text;
  });
  assert.equal(new Set(written).size, languages.length);
});

test('a time is written in the zone of its reader, with the zone and its distance from UTC at that time', () => {
  const [winter, summer] = [Date.UTC(2026, 0, 15, 12), Date.UTC(2026, 6, 15, 22, 30)];
  const written = (ms: number, zone: string | null): string => timeIn('en', new Date(ms), zone);
  assert.equal(written(winter, 'Asia/Baku'), 'January 15, 2026 at 4:00 PM (Asia/Baku, UTC+04:00)');
  assert.match(written(winter, 'Europe/Berlin'), /1:00 PM \(Europe\/Berlin, UTC\+01:00\)$/);
  assert.match(written(summer, 'Europe/Berlin'), /^July 16.*\(Europe\/Berlin, UTC\+02:00\)$/);
  assert.match(written(winter, 'Asia/Kolkata'), /UTC\+05:30\)$/);
  for (const none of [null, 'UTC', 'Mars/Olympus']) {
    assert.equal(written(winter, none), 'January 15, 2026 at 12:00 PM UTC');
  }
  for (const language of languages) {
    const time = timeIn(language, new Date(winter), 'Asia/Baku');
    assert.match(time, /2026[^]*(?:16|4):00[^]*\(Asia\/Baku, UTC\+04:00\)$/, language);
  }
});

test('text put into an email is neither HTML nor a second header', () => {
  const evil = '<img src=x onerror=alert(1)>"\'&\r\nBcc: everybody@example.org';
  const email = compose(
    'en',
    {
      subject: 'invitation.valid',
      before: ['invitation.valid'],
      action: { label: 'reset.action', url: `${origin}/"><script>` },
      facts: [{ name: 'reset.action', value: evil }],
      params: { days: evil },
    },
    evil,
  );
  assert.doesNotMatch(email.subject, /[\r\n]/);
  assert.doesNotMatch(email.html, /<img|<script|onerror=alert\(1\)>"/);
  assert.ok(email.html.includes('&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;'));
});

test('the address of a mail server says what protects the way there', () => {
  const read = (url: string): unknown[] | null => {
    const smtp = readSmtpUrl(url);
    return smtp && [smtp.host, smtp.port, smtp.isTls, smtp.mustUpgrade];
  };
  assert.deepEqual(read('smtps://mail.example.org'), ['mail.example.org', 465, true, false]);
  assert.deepEqual(read('smtp://mail.example.org'), ['mail.example.org', 587, false, true]);
  assert.deepEqual(read('smtp://10.0.0.5:25'), ['10.0.0.5', 25, false, true]);
  assert.deepEqual(read('smtp://relay.lan:25?tls=never'), ['relay.lan', 25, false, false]);
  for (const near of ['127.0.0.1', 'localhost', '[::1]']) {
    assert.equal(readSmtpUrl(`smtp://${near}:1025`)?.mustUpgrade, false, near);
  }
  assert.equal(readSmtpUrl('smtp://127.evil.example')?.mustUpgrade, true);
  assert.deepEqual(readSmtpUrl('smtps://a%40b:p%2Fw@mail.example.org')?.login, {
    user: 'a@b',
    password: 'p/w',
  });
  for (const bad of ['mail.example.org', 'http://mail.example.org', 'smtp:', '']) {
    assert.equal(readSmtpUrl(bad), null, bad);
  }
});

test('an email is given up for what is wrong with it, not for what is wrong with us', () => {
  const final = (code: string, reply: number | null): boolean => new NotSent(code, reply).isFinal;
  assert.equal(final('EENVELOPE', 550), true);
  assert.equal(final('EMESSAGE', 554), true);
  assert.equal(final('EENVELOPE', 451), false);
  assert.equal(final('EENVELOPE', 530), false);
  assert.equal(final('EAUTH', 535), false);
  assert.equal(final('ECONNECTION', null), false);
});
