import { useState } from 'react';

/**
 * What is typed over a value that counts elsewhere, as in the address: the value again whenever that changes. The field
 * stays the same one and keeps the focus, which a `key` would take from it.
 */
export function useTyped(value: string): [string, (typed: string) => void] {
  const [typed, setTyped] = useState(value);
  const [given, setGiven] = useState(value);
  if (given !== value) {
    setGiven(value);
    setTyped(value);
  }
  return [typed, setTyped];
}
