import { act, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { everySentence } from '#testing/every-sentence.ts';
import { pageWindow } from '#lib/page-window.ts';
import { Banner } from './banner.tsx';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Field } from './field.tsx';
import { Input } from './input.tsx';
import { Pagination } from './pagination.tsx';
import { Slider } from './slider.tsx';

beforeAll(everySentence);

afterEach(() => vi.useRealTimers());

test.each([
  [1, 1, [1]],
  [1, 5, [1, 2, 3, 4, 5]],
  [1, 9, [1, 2, 3, 4, 5, 'gap', 9]],
  [5, 9, [1, 2, 3, 4, 5, 6, 7, 8, 9]],
  [6, 12, [1, 'gap', 4, 5, 6, 7, 8, 'gap', 12]],
  [4, 7, [1, 2, 3, 4, 5, 6, 7]],
  [9, 9, [1, 'gap', 5, 6, 7, 8, 9]],
])('FACE-014 page %i of %i offers a window of five', (page, pages, expected) => {
  expect(pageWindow(page, pages)).toEqual(expected);
});

test('FACE-016 one page needs no pagination', () => {
  const { container } = render(<Pagination page={1} pages={1} onPage={() => undefined} />);
  expect(container).toBeEmptyDOMElement();
});

test('pagination says where one is and moves', async () => {
  const moved = vi.fn();
  render(<Pagination page={2} pages={3} onPage={moved} />);
  expect(screen.getByRole('button', { name: 'Page 2' })).toHaveAttribute('aria-current', 'page');
  await userEvent.click(screen.getByRole('button', { name: 'Next page' }));
  await userEvent.click(screen.getByRole('button', { name: 'Page 1' }));
  expect(moved.mock.calls).toEqual([[3], [1]]);
});

test('a success clears after its time, not while it is pointed at', () => {
  vi.useFakeTimers();
  const closed = vi.fn();
  render(
    <Banner tone="success" clearAfterMs={3000} onClose={closed}>
      Saved
    </Banner>,
  );
  fireEvent.mouseEnter(screen.getByRole('status'));
  act(() => vi.advanceTimersByTime(10_000));
  expect(closed).not.toHaveBeenCalled();
  fireEvent.mouseLeave(screen.getByRole('status'));
  act(() => vi.advanceTimersByTime(3000));
  expect(closed).toHaveBeenCalledOnce();
});

test('an error stays until it is dismissed', () => {
  vi.useFakeTimers();
  const closed = vi.fn();
  render(
    <Banner tone="error" clearAfterMs={3000} onClose={closed}>
      Failed
    </Banner>,
  );
  act(() => vi.advanceTimersByTime(60_000));
  expect(closed).not.toHaveBeenCalled();
  fireEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
  expect(closed).toHaveBeenCalledOnce();
});

test('a press on a button of a form leaves the focus in its field, so that no complaint moves the button away', async () => {
  const left = vi.fn();
  const [inside, outside] = [vi.fn(), vi.fn()];
  render(
    <>
      <form onSubmit={(event) => event.preventDefault()}>
        <input aria-label="Name" onBlur={left} />
        <Button type="submit" onClick={inside}>
          Save
        </Button>
      </form>
      <Button onClick={outside}>Elsewhere</Button>
    </>,
  );
  const field = screen.getByRole('textbox');
  await userEvent.click(field);
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(field).toHaveFocus();
  expect([left.mock.calls, inside.mock.calls.length]).toEqual([[], 1]);
  await userEvent.click(screen.getByRole('button', { name: 'Elsewhere' }));
  expect([left.mock.calls.length, outside.mock.calls.length]).toEqual([1, 1]);
});

test('a busy button cannot be pressed twice, nor submit its form', async () => {
  const pressed = vi.fn();
  const submitted = vi.fn((event: React.FormEvent) => event.preventDefault());
  render(
    <form onSubmit={submitted}>
      <Button type="submit" busy onClick={pressed}>
        Save
      </Button>
    </form>,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect([pressed.mock.calls.length, submitted.mock.calls.length]).toEqual([0, 0]);
});

test('a field ties label, hint and error to its control', () => {
  render(
    <Field label="Name" hint="As on the door" error="This field is required." required>
      {(attributes) => <Input {...attributes} />}
    </Field>,
  );
  const control = screen.getByRole('textbox', { name: /Name/ });
  expect(control).toBeInvalid();
  expect(control).toBeRequired();
  expect(control).toHaveAccessibleDescription('This field is required. As on the door');
});

test('a slider is filled up to its thumb, with its own value or a given one', () => {
  const share = (): string => screen.getByRole('slider').style.getPropertyValue('--share');
  const { rerender } = render(
    <Slider aria-label="Size" min={20} max={120} defaultValue={45} shown="45" />,
  );
  expect(share()).toBe('0.25');
  fireEvent.input(screen.getByRole('slider'), { target: { value: '70' } });
  expect(share()).toBe('0.5');
  rerender(
    <Slider key="held" aria-label="Size" value={100} onChange={() => undefined} shown="100" />,
  );
  expect(share()).toBe('1');
});

test('C-701 an open dialog locks the page by a style attribute and writes no style element', async () => {
  const before = document.querySelectorAll('style').length;
  const { rerender } = render(
    <Dialog open onClose={() => undefined} title="Add">
      <p>Body</p>
    </Dialog>,
  );
  expect(await screen.findByRole('dialog', { name: 'Add' })).toBeInTheDocument();
  expect(document.documentElement.style.overflow).toBe('hidden');
  expect(document.querySelectorAll('style')).toHaveLength(before);
  rerender(
    <Dialog open={false} onClose={() => undefined} title="Add">
      <p>Body</p>
    </Dialog>,
  );
  expect(document.documentElement.style.overflow).toBe('');
});
