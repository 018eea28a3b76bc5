import type { Action, Actor, Entry } from '#activity/activity.ts';
import type { Client } from './sessions/sessions.ts';

/** The entry of a deed on an account; null: on one that does not exist. It never holds typed text. */
export function aboutUser(action: Action, actor: Actor, userId: string | null): Entry {
  return { actor, action, object: userId === null ? null : { type: 'user', id: userId } };
}

/** Until a sign-in has succeeded, the actor is known by the network only. */
export function actorOf(client: Client, userId: string | null, sessionId: string | null): Actor {
  return { userId, sessionId, ip: client.ip, userAgent: client.userAgent };
}
