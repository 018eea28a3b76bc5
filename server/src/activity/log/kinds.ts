/** The kinds of actions in the documents' terms, by which they are counted. The kind follows from the action's verb. */
import type { ActivityEntry, ActivityKind } from '@nazar/contract/activity.ts';
import { actions, type Action } from '../entry.ts';

/** The last word of an action, or the word before `_failed` and the like. Verbs that are not listed are updates. */
const verbs: Readonly<Partial<Record<ActivityKind, readonly string[]>>> = {
  create: ['added', 'created', 'registered', 'set_up', 'issued', 'enrolled', 'invited'],
  delete: ['deleted', 'removed', 'revoked', 'erased', 'pruned'],
  view: ['viewed', 'watched', 'played', 'seen', 'glimpsed'],
  login: ['login', 'login_failed', 'login_throttled', 'login_refused', 'proven', 'proof_refused'],
  logout: ['logout'],
  export: ['exported', 'downloaded'],
  import: ['imported'],
  search: ['searched'],
  test: ['tested', 'mocked'],
};

export function kindOf(action: string): ActivityKind {
  const [what = '', verb = ''] = action.split('.');
  // An action that a client reports has the client's own name.
  if (what === 'client') return verb as ActivityKind;
  const found = Object.entries(verbs).find(([, words]) =>
    words.some((word) => verb === word || verb.endsWith(`_${word}`)),
  );
  return (found?.[0] ?? 'update') as ActivityKind;
}

export function actionsOf(kind: ActivityKind): Action[] {
  return actions.filter((action) => kindOf(action) === kind);
}

const refusal = /_(failed|throttled|refused|denied|stolen|broken)$/;

export const levelOf = (action: string): ActivityEntry['level'] =>
  refusal.test(action) ? 'warning' : 'info';
