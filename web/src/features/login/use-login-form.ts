/**
 * The form of the sign-in: three fields that the browser itself holds. The form library and the schema's library
 * would be a fifth of all that this page loads; the schema comes when a field is left or the form is sent.
 */
import { describeIssue, type FieldIssue } from '@nazar/contract/issue.ts';
import { useRef, useState, type RefObject, type SubmitEvent } from 'react';
import { useTranslation } from '#lib/i18n.ts';

export interface Credentials {
  readonly email: string;
  readonly password: string;
  readonly remember: boolean;
}
type Field = 'email' | 'password';
type Faults = Partial<Record<Field, FieldIssue>>;

const order: readonly Field[] = ['email', 'password'];

function read(form: HTMLFormElement): Credentials {
  const data = new FormData(form);
  const text = (name: Field): string => {
    const value = data.get(name);
    return typeof value === 'string' ? value : '';
  };
  return { email: text('email'), password: text('password'), remember: data.has('remember') };
}

/** Without the schema, as on a line that broke, the server alone checks. */
async function check(typed: Credentials): Promise<{ credentials: Credentials; faults: Faults }> {
  const module = await import('./login-schema.ts').catch(() => null);
  const result = module?.schema.safeParse(typed);
  if (result === undefined) return { credentials: typed, faults: {} };
  if (result.success) return { credentials: result.data, faults: {} };
  const faults: Faults = {};
  for (const issue of result.error.issues) {
    const name = issue.path[0] as Field;
    faults[name] ??= describeIssue(issue, typed[name]);
  }
  return { credentials: typed, faults };
}

type FormRef = RefObject<HTMLFormElement | null>;

export function focusField(form: FormRef, name: Field): void {
  const field = form.current?.elements.namedItem(name);
  if (field instanceof HTMLElement) field.focus();
}

/** `form`: the element that the page gives its ref to. `send` says by itself what went wrong. */
export function useLoginForm(
  form: FormRef,
  remember: boolean,
  send: (credentials: Credentials) => Promise<void>,
) {
  const { t } = useTranslation();
  /** What was sent last: the form goes while the second step is asked for, and comes back with the address. */
  const [sent, setSent] = useState<Credentials>({ email: '', password: '', remember });
  const [isRemembered, setRemembered] = useState(remember);
  const [busy, setBusy] = useState(false);
  const [faults, setFaults] = useState<Faults>({});
  /** Fields that were left, or all once the form was sent: their faults are shown and follow what is typed. */
  const checkedFields = useRef(new Set<Field>());

  const recheck = async (): Promise<void> => {
    if (form.current === null || checkedFields.current.size === 0) return;
    const now = (await check(read(form.current))).faults;
    setFaults(
      Object.fromEntries(
        Object.entries(now).filter(([name]) => checkedFields.current.has(name as Field)),
      ),
    );
  };

  const submit = async (event: SubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    try {
      const typed = read(event.currentTarget);
      const checked = await check(typed);
      for (const name of order) checkedFields.current.add(name);
      setFaults(checked.faults);
      const wrong = order.find((name) => checked.faults[name] !== undefined);
      setSent(typed);
      if (wrong === undefined) await send(checked.credentials);
      else focusField(form, wrong);
    } finally {
      setBusy(false);
    }
  };

  const field = (name: Field) => {
    const fault = faults[name];
    return {
      name,
      // A password is typed anew each time the form comes back.
      defaultValue: name === 'email' ? sent.email : '',
      error: fault && t(`problem:field.${fault.fault}`, fault.params),
      onBlur: () => {
        checkedFields.current.add(name);
        void recheck();
      },
      onChange: () => void recheck(),
    };
  };

  return {
    busy,
    submit,
    field,
    remember: {
      name: 'remember',
      checked: isRemembered,
      onChange: ({ target }: { target: HTMLInputElement }) => setRemembered(target.checked),
    },
    isRemembered,
  };
}
