import { Search } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Input } from '#ui/input.tsx';

const REST_MS = 300;

export interface SearchBoxProps {
  label: string;
  /** What is being searched for now: stands in the address. */
  value: string;
  onSearch: (value: string) => void;
}

/** Asks when typing rests, at once on Enter; follows the address when Back changes it. */
export function SearchBox({ label, value, onSearch }: SearchBoxProps) {
  const [text, setText] = useState(value);
  const asked = useRef(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    // Not what was asked for from here: the reader went back or cleared the filters.
    if (value === asked.current) return;
    asked.current = value;
    clearTimeout(timer.current);
    setText(value);
  }, [value]);
  const ask = (words: string): void => {
    clearTimeout(timer.current);
    if (words === asked.current) return;
    asked.current = words;
    onSearch(words);
  };
  return (
    <Input
      type="search"
      icon={<Search />}
      aria-label={label}
      placeholder={label}
      value={text}
      maxLength={150}
      onChange={({ target }) => {
        setText(target.value);
        clearTimeout(timer.current);
        timer.current = setTimeout(() => ask(target.value.trim()), REST_MS);
      }}
      onKeyDown={(event) => event.key === 'Enter' && ask(text.trim())}
    />
  );
}
