import { Input, type InputProps } from './input.tsx';

/** For an address: no browser completes, capitalises or corrects it. */
export function UrlInput(props: Omit<InputProps, 'inputMode'>) {
  return (
    <Input inputMode="url" autoComplete="off" autoCapitalize="none" spellCheck={false} {...props} />
  );
}
