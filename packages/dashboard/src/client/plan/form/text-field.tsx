import { useId, useRef } from 'react';

interface TextFieldProps {
  label: string;
  /** The path of the field in the draft. */
  path: string;
  value: string;
  onChange: (value: string) => void;
  /** Called when the person leaves the field, with the text that the field had when they entered it. */
  onLeave?: (before: string) => void;
  isCode?: boolean;
  /** True for a field of one line, such as a title. Other fields grow with their text. */
  isLine?: boolean;
  placeholder?: string;
  problem?: string | undefined;
}

export function TextField(props: TextFieldProps) {
  const { label, path, value, onChange, onLeave, isCode, isLine, placeholder, problem } = props;
  const id = useId();
  const shared = {
    id,
    'data-field': path,
    'aria-invalid': problem !== undefined,
    'aria-describedby': problem === undefined ? undefined : `${id}-problem`,
    value,
    placeholder,
    spellCheck: !isCode,
    className: `control w-full px-2.5 py-1.5 max-sm:text-[1rem] ${isCode ? 'font-mono text-xs leading-5' : 'text-sm'} ${problem === undefined ? '' : '!border-needs-you'}`,
  };
  const before = useRef(value);
  return (
    <div className="grid min-w-0 gap-1 sm:grid-cols-[7rem_minmax(0,1fr)] sm:gap-x-4">
      <label htmlFor={id} className="pt-1.5 text-sm text-faint max-sm:pt-0">
        {label}
      </label>
      <div className="min-w-0">
        {isLine ? (
          <input
            {...shared}
            type="text"
            autoComplete="off"
            onChange={(event) => onChange(event.target.value)}
            onFocus={() => {
              before.current = value;
            }}
            onBlur={() => onLeave?.(before.current)}
          />
        ) : (
          <textarea
            {...shared}
            rows={1}
            onChange={(event) => onChange(event.target.value)}
            className={`${shared.className} field-sizing-content block min-h-8 resize-y`}
          />
        )}
        {problem === undefined ? null : (
          <p id={`${id}-problem`} className="mt-1 text-xs text-needs-you">
            ✗ {problem}
          </p>
        )}
      </div>
    </div>
  );
}
