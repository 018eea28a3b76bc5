import type { UserDetail } from '@nazar/contract/users.ts';

/** What the tab and the actions on it are given. */
export interface AccountTabProps {
  user: UserDetail;
  onClose: () => void;
  onDone: (sentence: string) => void;
}
