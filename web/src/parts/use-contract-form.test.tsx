import { requiredText, text } from '@nazar/contract/fields.ts';
import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { everySentence } from '#testing/every-sentence.ts';
import { z } from 'zod/mini';
import { Problem } from '#api/problem.ts';
import { showLanguage } from '#lib/i18n.ts';
import { SelectField, TextField } from '#ui/fields.tsx';
import { showProblem, useContractForm } from './use-contract-form.ts';

beforeAll(everySentence);

const Door = z.object({ name: requiredText(5), note: text(20), floor: z.int() });

afterEach(() => showLanguage('en'));

function DoorForm({ onSend }: { onSend: (door: z.output<typeof Door>) => void }) {
  const form = useContractForm(Door, { name: '', note: '', floor: 1 });
  const floors = ['1', '2'].map((value) => ({ value, label: value }));
  const submit = form.handleSubmit((door) => {
    try {
      onSend(door);
    } catch (error) {
      showProblem(form, error);
    }
  });
  return (
    <form noValidate onSubmit={(event) => void submit(event)}>
      <TextField label="Name" required {...form.field('name')} />
      <TextField label="Note" hint="As on the door" {...form.field('note')} />
      <SelectField
        label="Floor"
        options={floors}
        {...form.field('floor', { valueAsNumber: true })}
      />
      <button type="submit">Send</button>
      <button type="button" onClick={() => void form.trigger(['name', 'note'])}>
        Check
      </button>
    </form>
  );
}

const send = (): Promise<void> => userEvent.click(screen.getByRole('button', { name: 'Send' }));

test('a bound field sends its value as the schema has it', async () => {
  const sent = vi.fn();
  render(<DoorForm onSend={sent} />);
  await userEvent.type(screen.getByRole('textbox', { name: /Name/ }), ' West ');
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Floor' }), '2');
  await send();
  expect(sent).toHaveBeenCalledExactlyOnceWith({ name: 'West', note: '', floor: 2 });
});

test('a bound field says what is wrong in the language of the reader, and follows it', async () => {
  const sent = vi.fn();
  render(<DoorForm onSend={sent} />);
  const name = screen.getByRole('textbox', { name: /Name/ });
  await send();
  expect(name).toBeRequired();
  expect(name).toBeInvalid();
  expect(name).toHaveFocus();
  expect(name).toHaveAccessibleDescription('This field is required.');
  await act(() => showLanguage('tr'));
  await vi.waitFor(() => expect(name).toHaveAccessibleDescription('Bu alan zorunludur.'));
  expect(screen.getByRole('textbox', { name: 'Note' })).toHaveAccessibleDescription(
    'As on the door',
  );
  expect(sent).not.toHaveBeenCalled();
});

test('a text that is too long stays whole and is reported, and a refusal of the server lands on its field', async () => {
  const sent = vi.fn(() => {
    throw new Problem(400, 'validation_failed', '', { note: ['Taken.'] });
  });
  render(<DoorForm onSend={sent} />);
  const name = screen.getByRole('textbox', { name: /Name/ });
  await userEvent.type(name, 'Entrance');
  await userEvent.tab();
  expect(name).toHaveValue('Entrance');
  expect(name).toBeInvalid();
  await userEvent.clear(name);
  await userEvent.type(name, 'West');
  await send();
  expect(name).toBeValid();
  expect(screen.getByRole('textbox', { name: 'Note' })).toHaveAccessibleDescription(
    'Taken. As on the door',
  );
});

const nameField = (): HTMLElement => screen.getByRole('textbox', { name: /Name/ });
const noteField = (): HTMLElement => screen.getByRole('textbox', { name: 'Note' });

test('a field is not judged while one types in it for the first time, but when one leaves it', async () => {
  render(<DoorForm onSend={vi.fn()} />);
  await userEvent.type(nameField(), 'Entrance');
  expect(nameField()).toBeValid();
  await userEvent.tab();
  expect(nameField()).toBeInvalid();
});

test('a field that was found wrong is checked with each letter, and its error goes as soon as it is right', async () => {
  render(<DoorForm onSend={vi.fn()} />);
  await userEvent.type(nameField(), 'Entran');
  await userEvent.tab();
  expect(nameField()).toBeInvalid();
  await userEvent.type(nameField(), '{Backspace}');
  await vi.waitFor(() => expect(nameField()).toBeValid());
  expect(nameField()).toHaveFocus();
});

test('a field that was found right is not judged again before one leaves it', async () => {
  render(<DoorForm onSend={vi.fn()} />);
  await userEvent.type(nameField(), 'West');
  await userEvent.tab();
  await userEvent.clear(nameField());
  expect(nameField()).toBeValid();
  await userEvent.tab();
  expect(nameField()).toBeInvalid();
});

test('a field that a button found wrong, where one never was, is checked with each letter, too', async () => {
  render(<DoorForm onSend={vi.fn()} />);
  await userEvent.click(screen.getByRole('button', { name: 'Check' }));
  expect(nameField()).toBeInvalid();
  await userEvent.type(nameField(), 'W');
  await vi.waitFor(() => expect(nameField()).toBeValid());
});

test('once the form was sent, too, only a field that is wrong is judged while one types', async () => {
  render(<DoorForm onSend={vi.fn()} />);
  await send();
  expect(nameField()).toBeInvalid();
  await userEvent.type(noteField(), 'a note that is far too long');
  expect(noteField()).toBeValid();
  await userEvent.type(nameField(), 'W');
  await vi.waitFor(() => expect(nameField()).toBeValid());
  expect(noteField()).toBeInvalid();
});

test('a refusal of the server goes with the next letter', async () => {
  const refuse = (): never => {
    throw new Problem(400, 'validation_failed', '', { note: ['Taken.'] });
  };
  render(<DoorForm onSend={refuse} />);
  await userEvent.type(nameField(), 'West');
  await send();
  await vi.waitFor(() => expect(noteField()).toBeInvalid());
  await userEvent.type(noteField(), 'x');
  await vi.waitFor(() => expect(noteField()).toBeValid());
});

test('a refusal stays while the value does, wherever the focus goes, and does not keep it from being sent again', async () => {
  const sent = vi.fn(() => {
    if (sent.mock.calls.length > 1) return;
    throw new Problem(400, 'validation_failed', '', { note: ['Taken.'], floor: ['Full.'] });
  });
  render(<DoorForm onSend={sent} />);
  const floor = screen.getByRole('combobox', { name: 'Floor' });
  await userEvent.type(nameField(), 'West');
  await userEvent.type(noteField(), 'Here');
  await send();
  await vi.waitFor(() => expect(noteField()).toHaveFocus());
  // The focus leaves each of them.
  await userEvent.tab();
  await userEvent.tab();
  await userEvent.tab();
  await userEvent.click(screen.getByRole('button', { name: 'Check' }));
  expect(noteField()).toHaveAccessibleDescription('Taken. As on the door');
  expect(floor).toHaveAccessibleDescription('Full.');
  await userEvent.selectOptions(floor, '2');
  await vi.waitFor(() => expect(floor).toBeValid());
  expect(noteField()).toBeInvalid();
  await send();
  expect(sent).toHaveBeenLastCalledWith({ name: 'West', note: 'Here', floor: 2 });
  await vi.waitFor(() => expect(noteField()).toBeValid());
});

const Rules = z.object({ agreed: z.literal(true) });

function RulesForm() {
  const form = useContractForm<z.input<typeof Rules>, z.output<typeof Rules>>(Rules, {});
  return (
    <form noValidate onSubmit={(event) => void form.handleSubmit(() => undefined)(event)}>
      <label>
        <input type="checkbox" {...form.register('agreed')} />
        Agreed
      </label>
      {form.formState.errors.agreed !== undefined && <p role="alert">Missing</p>}
      <button type="submit">Send</button>
    </form>
  );
}

test('a checkbox that was found wrong is checked when it is pressed, too', async () => {
  render(<RulesForm />);
  await send();
  expect(screen.getByRole('alert')).toBeVisible();
  await userEvent.click(screen.getByRole('checkbox', { name: 'Agreed' }));
  await vi.waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
});
