import { foldedText } from '@nazar/contract/folded-text.ts';

/** A text with the searched words marked: one letter would mark half of it. */
export function Highlight({ text, term }: { text: string; term: string | undefined }) {
  if (term === undefined || term.length < 2) return text;
  const at = foldedText(text).indexOf(foldedText(term));
  if (at < 0) return text;
  const end = at + term.length;
  return (
    <>
      {text.slice(0, at)}
      <mark className="rounded-sm bg-unrecognized-soft text-unrecognized-text">
        {text.slice(at, end)}
      </mark>
      <Highlight text={text.slice(end)} term={term} />
    </>
  );
}
