import type { ButtonHTMLAttributes } from 'react';

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  look?: 'plain' | 'strong' | 'danger';
}

const LOOKS = {
  plain: 'border-control bg-panel text-ink hover:bg-hover',
  strong: 'border-ink bg-ink text-inverse hover:opacity-85',
  danger: 'border-control bg-panel text-needs-you hover:bg-needs-you-wash',
};

export function Button({ look = 'plain', className = '', ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={`inline-flex h-7 items-center gap-1.5 whitespace-nowrap rounded-md border px-2.5 text-sm font-medium disabled:opacity-50 ${LOOKS[look]} ${className}`}
    />
  );
}
