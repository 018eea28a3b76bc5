import { Tabs as Primitive } from 'radix-ui';
import type { ReactNode } from 'react';

export interface Tab<T extends string> {
  value: T;
  label: string;
  content: ReactNode;
}

export interface TabsProps<T extends string> {
  label: string;
  value: T;
  onChange: (value: T) => void;
  tabs: readonly Tab<T>[];
}

/** The open tab belongs in the URL: the page holds it. */
export function Tabs<T extends string>({ label, value, onChange, tabs }: TabsProps<T>) {
  return (
    <Primitive.Root value={value} onValueChange={(next) => onChange(next as T)}>
      <Primitive.List
        aria-label={label}
        className="flex gap-1 overflow-x-auto border-b border-line"
      >
        {tabs.map((tab) => (
          <Primitive.Trigger
            key={tab.value}
            value={tab.value}
            className="-mb-px min-h-10 border-b-2 border-transparent px-3 text-ui font-medium whitespace-nowrap text-muted hover:text-fg focus-visible:-outline-offset-2 data-[state=active]:border-primary data-[state=active]:text-primary-text touch:min-h-11"
          >
            {tab.label}
          </Primitive.Trigger>
        ))}
      </Primitive.List>
      {tabs.map((tab) => (
        <Primitive.Content key={tab.value} value={tab.value} className="pt-4">
          {tab.content}
        </Primitive.Content>
      ))}
    </Primitive.Root>
  );
}
