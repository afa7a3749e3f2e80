import { useState } from 'react';
import { TextField } from './text-field.tsx';

interface LinesFieldProps {
  label: string;
  path: string;
  value: readonly string[] | undefined;
  onChange: (value: string[]) => void;
  placeholder?: string;
  problem?: string | undefined;
}

/** A list of names, one a line. The typed text stays as it is as long as it means the same list. */
export function LinesField({ value = [], onChange, ...rest }: LinesFieldProps) {
  const [typed, setTyped] = useState(value.join('\n'));
  const isSame = readLines(typed).join('\n') === value.join('\n');
  return (
    <TextField
      {...rest}
      isCode
      value={isSame ? typed : value.join('\n')}
      onChange={(text) => {
        setTyped(text);
        onChange(readLines(text));
      }}
    />
  );
}

const readLines = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
