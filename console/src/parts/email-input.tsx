import { TextInput, type TextInputProps } from '@mantine/core';
import { useState } from 'react';
import { useText } from '../text/text.js';
import { texts } from './texts.js';

interface EmailInputProps extends Omit<TextInputProps, 'onChange' | 'value'> {
  value: string;
  onChange(value: string): void;
}

/** Whether a text is an email address, as the browser has it. */
export function isEmail(text: string): boolean {
  return Object.assign(document.createElement('input'), { type: 'email', value: text }).checkValidity();
}

/** The input of an email address. A form with another text is not sent, and says so at the field. */
export function EmailInput({ error, onChange, ...input }: EmailInputProps) {
  const t = useText(texts);
  const [isRefused, setRefused] = useState(false);
  return (
    <TextInput
      {...input}
      type="email"
      autoComplete="off"
      error={isRefused ? t('notEmail') : error}
      onInvalid={(event) => {
        // the browser would say it in its own language
        event.preventDefault();
        setRefused(true);
        event.currentTarget.focus();
      }}
      onChange={({ currentTarget: { value } }) => {
        setRefused(false);
        onChange(value);
      }}
    />
  );
}
