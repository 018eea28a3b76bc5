import type { Action, Actor, Entry } from '#activity/activity.ts';
import type { Client } from './sessions/sessions.ts';

/** The log entry of an action on an account; null: one that does not exist. It never holds typed text. */
export function aboutUser(action: Action, actor: Actor, userId: string | null): Entry {
  return { actor, action, object: userId === null ? null : { type: 'user', id: userId } };
}

/** Until a sign-in has succeeded, the network is all that is known of the actor. */
export function actorOf(client: Client, userId: string | null, sessionId: string | null): Actor {
  return { userId, sessionId, ip: client.ip, userAgent: client.userAgent };
}
