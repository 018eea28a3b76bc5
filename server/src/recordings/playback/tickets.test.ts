import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aClock } from '#testing/clock.ts';
import { PlaybackTickets } from './tickets.ts';

const asker = { sessionId: 'session', seeAs: null };

test('C-402 a ticket is opened within a minute and five times at most, and lives while it is used', () => {
  const clock = aClock(0);
  const tickets = new PlaybackTickets<string>(clock);
  const { ticket } = tickets.issue('gate', asker);
  assert.equal(tickets.use(ticket), null, 'nothing before it is opened');
  clock.advance(59_000);
  assert.deepEqual(tickets.open(ticket)?.subject, 'gate');
  for (let minute = 0; minute < 120; minute += 4) {
    clock.advance(4 * 60_000);
    assert.deepEqual(tickets.use(ticket)?.asker, asker);
  }
  for (let more = 0; more < 4; more++) assert.ok(tickets.open(ticket));
  assert.equal(tickets.open(ticket), null);
  assert.ok(tickets.use(ticket), 'what is playing goes on');
  clock.advance(5 * 60_000);
  assert.equal(tickets.use(ticket), null);
});

test('C-402 a ticket that is not opened in time, is changed or made up opens nothing', () => {
  const clock = aClock(0);
  const tickets = new PlaybackTickets<string>(clock);
  const { ticket, expiresAtMs } = tickets.issue('gate', asker);
  assert.equal(expiresAtMs, clock.now() + 60_000);
  for (const other of ['', 'x', ticket.slice(1), `${ticket}x`, ticket.toUpperCase()]) {
    assert.equal(tickets.open(other), null);
  }
  assert.equal(new PlaybackTickets<string>(clock).open(ticket), null, 'of another process');
  clock.advance(60_000);
  assert.equal(tickets.open(ticket), null);
});

test('C-405 a session that asks for very many loses its oldest, and no one else loses theirs', () => {
  const tickets = new PlaybackTickets<number>(aClock(0));
  const other = tickets.issue(-1, { sessionId: 'other', seeAs: null });
  const own = Array.from({ length: 40 }, (_, number) => tickets.issue(number, asker).ticket);
  const living = own.map((ticket) => tickets.open(ticket)?.subject ?? null);
  assert.deepEqual(
    living.filter((subject) => subject !== null),
    Array.from({ length: 36 }, (_, number) => number + 4),
  );
  assert.equal(tickets.open(other.ticket)?.subject, -1);
});
