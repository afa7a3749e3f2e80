import { useEffect, useState } from 'react';

interface SearchFieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
}

/** Shows the typed text at once and sends the query a moment later. */
export function SearchField({ label, value, onChange }: SearchFieldProps) {
  const [text, setText] = useState(value);
  const [given, setGiven] = useState(value);
  if (given !== value) {
    setGiven(value);
    setText(value);
  }
  useEffect(() => {
    if (text === value) return;
    const timer = window.setTimeout(() => onChange(text), 150);
    return () => window.clearTimeout(timer);
  });
  return (
    <input
      type="search"
      data-search
      aria-label={label}
      placeholder="Search  /"
      value={text}
      onChange={(event) => setText(event.target.value)}
      className="control h-7 w-44 px-2 text-sm"
    />
  );
}
