/** The text of a field whose value is typed: what is half typed stays as it is. */
import { useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';

/**
 * Returns the text and what sets it. It is written anew only when the value or the language comes from elsewhere.
 * `isTyped`: whether the text stands for the value already.
 */
export function useTypedText<Value extends string | number | null>(
  value: Value,
  shown: (value: Value) => string,
  isTyped: (text: string) => boolean,
): [string, (text: string) => void] {
  const { language } = useTranslation().i18n;
  const [text, setText] = useState(() => shown(value));
  const [seen, setSeen] = useState({ language, value });
  if (seen.language !== language || seen.value !== value) {
    setSeen({ language, value });
    if (seen.language !== language || !isTyped(text)) setText(shown(value));
  }
  return [text, setText];
}
