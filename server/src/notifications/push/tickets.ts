/** Tickets that go out in messages: good for one action and one picture, for a day. Only their hash is kept. */
import { createHash, randomBytes } from 'node:crypto';

export const ticketMs = 24 * 60 * 60_000;

/** 256 random bits. */
export const newTicket = (): string => randomBytes(32).toString('base64url');

export const ticketHash = (ticket: string): Buffer => createHash('sha256').update(ticket).digest();
