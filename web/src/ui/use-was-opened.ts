import { useState } from 'react';

/** What was opened once stays, closed, so that the focus finds its way back. */
export function useWasOpened(open: boolean): boolean {
  const [wasOpened, setWasOpened] = useState(open);
  if (open && !wasOpened) setWasOpened(true);
  return wasOpened || open;
}
