import { useLocation } from '@tanstack/react-router';
import { useCallback } from 'react';

/** Makes a hook that keeps a value at the present place of the history, where a screen finds it again after Back. */
export function createKept<Value>() {
  const values = new Map<string, Value>();
  return function useKept(name: string): [Value | undefined, (value: Value) => void] {
    const place = useLocation({ select: ({ state }) => state.__TSR_key });
    const key = `${place} ${name}`;
    const keep = useCallback((value: Value) => void values.set(key, value), [key]);
    return [values.get(key), keep];
  };
}
