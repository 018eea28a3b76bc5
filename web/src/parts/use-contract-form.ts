/**
 * Forms over a schema of the contract: what the browser can check is said at once in the reader's
 * language, what the server refuses lands on its field and is said there until that value is another or is sent again:
 * a sentence that goes when its field loses the focus moves what one is about to press.
 */
import { describeIssue } from '@nazar/contract/issue.ts';
import { useEffect, useState } from 'react';
import {
  get,
  useForm,
  type DefaultValues,
  type FieldError,
  type FieldErrors,
  type FieldPath,
  type FieldValues,
  type RegisterOptions,
  type Resolver,
  type UseFormHandleSubmit,
  type UseFormRegister,
  type UseFormRegisterReturn,
  type UseFormReturn,
} from 'react-hook-form';
import { translate, useTranslation } from '#lib/i18n.ts';
import type { z } from 'zod/mini';
import { Problem, problemSentence } from '#api/problem.ts';

function valueAt(values: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (value as Record<PropertyKey, unknown> | undefined)?.[key],
    values,
  );
}

/** A value that was refused when it was sent, by the name of its field. */
type Refusals = Map<string, { readonly value: unknown; readonly message: string }>;

function contractResolver<Input extends FieldValues, Output>(
  schema: z.ZodMiniType<Output, Input>,
  refusals: Refusals,
): Resolver<Input, unknown, Output> {
  return (values) => {
    const result = schema.safeParse(values);
    const errors: Record<string, { type: string; message: string }> = {};
    for (const issue of result.error?.issues ?? []) {
      const name = issue.path.join('.');
      const { fault, params } = describeIssue(issue, valueAt(values, issue.path));
      errors[name] ??= { type: fault, message: translate(`problem:field.${fault}`, params) };
    }
    for (const [name, { value, message }] of refusals) {
      if (get(values, name) === value) errors[name] ??= { type: 'server', message };
    }
    if (result.success && Object.keys(errors).length === 0) {
      return { values: result.data, errors: {} };
    }
    return { values: {}, errors: errors as FieldErrors<Input> };
  };
}

/** What a component of `#ui/fields.tsx` needs to stand in a form. */
export interface FieldBinding extends UseFormRegisterReturn {
  /** What is wrong with the field, in the reader's language. */
  readonly error: string | undefined;
}

export interface ContractForm<Input extends FieldValues, Output> extends UseFormReturn<
  Input,
  unknown,
  Output
> {
  /**
   * Binds a field: `<TextField label={…} {...form.field('name')} />`. A switch or a checkbox shows no error
   * and takes `form.register('name')`. No length limit comes along: a limit on the input would cut off
   * a pasted text without a word, where the schema says that it is too long.
   */
  readonly field: (
    name: FieldPath<Input>,
    options?: RegisterOptions<Input, FieldPath<Input>>,
  ) => FieldBinding;
  /** Shows at its field why a value was refused when it was sent, and puts the focus there. */
  readonly refuse: (name: FieldPath<Input>, message: string) => void;
  /** Judges some fields as sending does: what was refused may be right now. Puts the focus in the first that is wrong. */
  readonly judge: (names: readonly FieldPath<Input>[]) => Promise<boolean>;
}

export function useContractForm<Input extends FieldValues, Output>(
  schema: z.ZodMiniType<Output, Input>,
  defaultValues: DefaultValues<Input>,
): ContractForm<Input, Output> {
  const { i18n } = useTranslation();
  const [refusals] = useState((): Refusals => new Map());
  const form = useForm<Input, unknown, Output>({
    resolver: contractResolver(schema, refusals),
    defaultValues,
    // Judged when one leaves it; while one types, only what was found wrong (`register`).
    mode: 'onBlur',
    reValidateMode: 'onBlur',
    shouldFocusError: true,
  });
  const { trigger, formState } = form;
  const submitted = formState.isSubmitted;
  useEffect(() => {
    // The sentences already on the screen follow the language.
    if (submitted) void trigger();
    // oxlint-disable-next-line react/exhaustive-deps -- only a change of language asks for it
  }, [i18n.language]);
  // `form.control` has the one of react-hook-form; that of `form` is this one from the second render on.
  const register: UseFormRegister<Input> = (name, options) =>
    form.control.register(name, {
      ...options,
      onChange: (event: unknown) => {
        options?.onChange?.(event);
        // An error goes as soon as the field is right.
        if (form.getFieldState(name).invalid) void trigger(name);
      },
    });
  const field: ContractForm<Input, Output>['field'] = (name, options) => ({
    ...register(name, options),
    error: get<FieldErrors<Input>, FieldError | undefined>(form.formState.errors, name)?.message,
  });
  const refuse: ContractForm<Input, Output>['refuse'] = (name, message) => {
    refusals.set(name, { value: form.getValues(name), message });
    form.setError(name, { type: 'server', message }, { shouldFocus: true });
  };
  const judge: ContractForm<Input, Output>['judge'] = (names) => {
    refusals.clear();
    return trigger([...names], { shouldFocus: true });
  };
  // What was refused may be right now: only the server knows.
  const handleSubmit: UseFormHandleSubmit<Input, Output> = (onValid, onInvalid) => {
    const submit = form.control.handleSubmit(onValid, onInvalid);
    return (event) => {
      refusals.clear();
      return submit(event);
    };
  };
  // The form stays the same object from one render to the next: effects depend on it.
  return Object.assign(form, { field, register, refuse, judge, handleSubmit });
}

/**
 * Puts a refusal where it belongs: on the fields this form has, and in the answer (a sentence for a
 * banner) whatever fits no field; null when every part of it found its field.
 */
export function showProblem<Input extends FieldValues, Output>(
  form: ContractForm<Input, Output>,
  error: unknown,
): string | null {
  if (!(error instanceof Problem)) return problemSentence(error);
  const known = new Set(Object.keys(form.getValues()));
  const entries = Object.entries(error.fields);
  for (const [name, messages] of entries.filter(([field]) => known.has(field)).toReversed()) {
    form.refuse(name as FieldPath<Input>, messages.join(' '));
  }
  const rest = entries.filter(([name]) => !known.has(name)).flatMap(([, messages]) => messages);
  if (error.detail !== '') rest.unshift(error.detail);
  if (rest.length > 0) return rest.join(' ');
  return entries.length > 0 ? null : problemSentence(error);
}
