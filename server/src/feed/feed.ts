/**
 * Changes that later modules react to: that a visit was written, is another's or was withdrawn, that a warning changed,
 * that an alert was raised. Each kind has one reader.
 * The module that changes something adds the change in the same transaction, so that no change is lost and none appears
 * that was rolled back. A reader takes changes and deletes them in the transaction that writes what follows from them, so
 * that nothing follows twice (docs/decisions/0031). Adding wakes no reader: topics of the writers do, after the commit.
 */
export {
  addChange,
  addChanges,
  adding,
  mayRead,
  type Change,
  type ChangeKind,
  type TakenChange,
} from './store.ts';
export { FeedRunner, type Followed, type Wakes } from './feed-runner.ts';
