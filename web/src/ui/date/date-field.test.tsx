import { act, cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { everySentence } from '#testing/every-sentence.ts';
import { chooseLanguage } from '#lib/i18n.ts';
import { DateField, type DateFieldProps } from './date-field.tsx';

beforeAll(everySentence);
afterEach(() => act(() => chooseLanguage('en')));

type Limits = Pick<DateFieldProps, 'min' | 'max'>;

/** Returns the field and all days that it said. */
function draw(start: string, limits: Limits = {}) {
  const days: (string | null)[] = [];
  function Form() {
    const [value, setValue] = useState(start);
    return (
      <form>
        <DateField
          label="Ends on"
          value={value}
          {...limits}
          onDay={(day) => {
            days.push(day);
            if (day !== null) setValue(day);
          }}
        />
      </form>
    );
  }
  render(<Form />);
  return { field: screen.getByRole('textbox', { name: 'Ends on' }), days };
}

test('LNG-001 a date stands as the language of the page writes it, also once another is chosen', async () => {
  const { field } = draw('2026-11-27');
  expect(field).toHaveValue('11/27/2026');
  await act(() => chooseLanguage('ru'));
  expect(field).toHaveValue('27.11.2026');
  expect(field).toHaveAttribute('placeholder', 'ДД.ММ.ГГГГ');
});

test('a typed date counts once it is a day; half of one stays as it is and says what to do when it is left', async () => {
  const person = userEvent.setup();
  const { field, days } = draw('');
  await person.type(field, '3/4/202');
  expect(new Set(days)).toEqual(new Set([null]));
  expect(screen.queryByText(/^Enter a date/)).toBeNull();
  await person.tab();
  expect(field).toHaveValue('3/4/202');
  expect(field).toBeInvalid();
  expect(field).toHaveAccessibleDescription('Enter a date as MM/DD/YYYY.');
  await person.type(field, '6');
  expect(days.at(-1)).toBe('2026-03-04');
  expect(field).toBeValid();
  await person.tab();
  expect(field).toHaveValue('03/04/2026');
  await person.clear(field);
  expect(days.at(-1)).toBe('');
});

test('a day outside of its limits is refused with the nearest that is right', async () => {
  const person = userEvent.setup();
  const { field, days } = draw('', { min: '2026-03-02', max: '2026-03-09' });
  await person.type(field, '03/10/2026');
  await person.tab();
  expect(days.at(-1)).toBeNull();
  expect(field).toHaveAccessibleDescription('Enter 03/09/2026 or an earlier date.');
  await person.clear(field);
  await person.type(field, '03/01/2026');
  await person.tab();
  expect(field).toHaveAccessibleDescription('Enter 03/02/2026 or a later date.');
});

test('C-701 by keys alone: the calendar opens at the day, arrows move, Enter chooses, Escape leaves it as it was', async () => {
  const person = userEvent.setup();
  const { field, days } = draw('2026-03-31', { max: '2026-04-05' });
  await person.tab();
  await person.tab();
  const opens = screen.getByRole('button', { name: 'Open the calendar: Ends on' });
  expect(opens).toHaveFocus();
  await person.keyboard('{Enter}');
  const calendar = await screen.findByRole('dialog', { name: 'Ends on' });
  const day = (name: RegExp) => within(calendar).getByRole('button', { name });
  expect(day(/March 31, 2026/)).toHaveFocus();
  await person.keyboard('{ArrowRight}{ArrowDown}');
  expect(day(/April 5, 2026/), 'no further than the last').toHaveFocus();
  await person.keyboard('{Shift>}{PageUp}{/Shift}');
  expect(day(/April 5, 2025/)).toHaveFocus();
  await person.keyboard('{Escape}');
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(days).toEqual([]);
  const trigger = screen.getByRole('button', { name: 'Open the calendar: Ends on' });
  expect(trigger).toHaveFocus();
  await person.keyboard('{Enter}{ArrowLeft}{Enter}');
  expect(days).toEqual(['2026-03-30']);
  expect(field).toHaveValue('03/30/2026');
  expect(screen.queryByRole('dialog')).toBeNull();
  cleanup();
});
