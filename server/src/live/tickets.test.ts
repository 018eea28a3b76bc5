import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SecretKey } from '#lib/secrets.ts';
import { aClock } from '#testing/clock.ts';
import { Tickets } from './tickets.ts';

const key = SecretKey.random();
const one = { sessionId: 'session-1', seeAs: null };

test('C-402 a ticket opens its camera for its session', () => {
  const tickets = new Tickets(key, aClock());
  const { ticket } = tickets.issue('camera-1', one);
  assert.deepEqual(tickets.open(ticket, 'camera-1'), one);
});

test('C-402 a ticket keeps the user whose rights its administrator saw with', () => {
  const tickets = new Tickets(key, aClock());
  const asked = { ...one, seeAs: 'user-2' };
  const { ticket } = tickets.issue('camera-1', asked);
  assert.deepEqual(tickets.open(ticket, 'camera-1'), asked);
});

test('C-402 a ticket opens no other camera, not after 60 s, and not a sixth time', () => {
  const clock = aClock();
  const tickets = new Tickets(key, clock);
  const { ticket } = tickets.issue('camera-1', one);
  assert.equal(tickets.open(ticket, 'camera-2'), null);
  for (let time = 0; time < 5; time += 1) assert.ok(tickets.open(ticket, 'camera-1'));
  assert.equal(tickets.open(ticket, 'camera-1'), null);
  const late = tickets.issue('camera-1', one);
  clock.advance(60_000);
  assert.equal(tickets.open(late.ticket, 'camera-1'), null);
});

test('C-402 a ticket that was touched, or made elsewhere, opens nothing', () => {
  const tickets = new Tickets(key, aClock());
  const { ticket } = tickets.issue('camera-1', one);
  const [text = '', signature = ''] = ticket.split('.');
  const forged = Buffer.from(
    Buffer.from(text, 'base64url').toString().replace('camera-1', 'camera-2'),
  ).toString('base64url');
  for (const bad of [`${forged}.${signature}`, text, `${text}.`, '', '.', `${text}.AAAA`]) {
    assert.equal(tickets.open(bad, 'camera-2'), null, bad);
  }
  const elsewhere = new Tickets(SecretKey.random(), aClock()).issue('camera-1', one);
  assert.equal(tickets.open(elsewhere.ticket, 'camera-1'), null);
});
