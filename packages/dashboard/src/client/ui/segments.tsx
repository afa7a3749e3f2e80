interface SegmentsProps<T extends string> {
  label: string;
  options: readonly (readonly [value: T, text: string])[];
  value: T;
  onChange: (value: T) => void;
}

/** A choice between a few options that are all visible. */
export function Segments<T extends string>({ label, options, value, onChange }: SegmentsProps<T>) {
  return (
    <fieldset className="inline-flex rounded-md border border-line bg-sunken p-0.5">
      <legend className="sr-only">{label}</legend>
      {options.map(([option, text]) => (
        <button
          key={option}
          type="button"
          aria-pressed={option === value}
          onClick={() => onChange(option)}
          className={`h-6 whitespace-nowrap rounded px-2 text-xs font-medium ${option === value ? 'bg-raised text-ink shadow-sm' : 'text-soft hover:text-ink'}`}
        >
          {text}
        </button>
      ))}
    </fieldset>
  );
}
