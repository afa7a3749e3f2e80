import { chooseTheme, THEMES, type Theme, useTheme } from './theme.ts';

const LOOKS: Record<Theme, { glyph: string; label: string }> = {
  system: { glyph: '◐', label: 'Theme of the system' },
  light: { glyph: '☀', label: 'Light theme' },
  dark: { glyph: '☾', label: 'Dark theme' },
};

export function ThemeSwitch() {
  const theme = useTheme();
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'system';
  const { glyph, label } = LOOKS[theme];
  return (
    <button
      type="button"
      onClick={() => chooseTheme(next)}
      aria-label={`${label}; switch to: ${LOOKS[next].label}`}
      title={label}
      className="grid size-8 place-items-center rounded-md text-soft hover:bg-hover hover:text-ink"
    >
      <span aria-hidden="true">{glyph}</span>
    </button>
  );
}
