import type { Action, Actor, Entry } from '#activity/activity.ts';
import type { Client } from './sessions/sessions.ts';

/** What was done to an account; null: to one that nobody has. Never what somebody typed (C-120). */
export function aboutUser(action: Action, actor: Actor, userId: string | null): Entry {
  return { actor, action, object: userId === null ? null : { type: 'user', id: userId } };
}

/** Somebody who signs in, or tries to, is known by their network only until they have. */
export function actorOf(client: Client, userId: string | null, sessionId: string | null): Actor {
  return { userId, sessionId, ip: client.ip, userAgent: client.userAgent };
}
