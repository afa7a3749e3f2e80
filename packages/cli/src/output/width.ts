import { WIDE } from './wide-characters.ts';

/** Characters that take one column each, whatever stands beside them: nearly every text has no others. */
const PLAIN =
  /^[\x20-\x7e\u00a0-\u00ac\u00ae-\u02ff\u2010-\u2027\u2190-\u21ff\u2500-\u25fc\u2713-\u2718]*$/;

/** Made when the first unusual character is measured: these sets of characters take 20 ms to build. */
const buildPatterns = () => ({
  invisible: /^[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Cs}\p{Mn}\p{Me}]*$/u,
  /** After another character: marks that stand beside it, and half-width forms. */
  trailing: /(?<=.)[\p{Mc}\uff00-\uffef]/gsu,
  emoji: /^\p{RGI_Emoji}$/v,
  /** A keycap or several pictures joined into one, written without the selector that asks for a picture. */
  looseEmoji: /^(?:[\d#*]\u20e3|(?=.*\u200d)\p{ExtPict}.*\p{ExtPict}.*)$/su,
});
let patterns: ReturnType<typeof buildPatterns> | undefined;

/** Korean letters in parts, as some file systems hand them out; a terminal draws them as one. */
const KOREAN_PARTS = /[\u1100-\u11ff]/;

let segmenter: Intl.Segmenter | undefined;

/** What a person takes for one character each, such as a letter with its accents or a family of four. */
export function splitCharacters(text: string): string[] {
  if (PLAIN.test(text)) return [...text];
  segmenter ??= new Intl.Segmenter();
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** Columns that a text takes on a terminal. It must hold no colours. */
export function measureWidth(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let width = 0;
  const whole = KOREAN_PARTS.test(text) ? text.normalize('NFC') : text;
  for (const character of splitCharacters(whole)) width += widthOf(character);
  return width;
}

function widthOf(character: string): number {
  patterns ??= buildPatterns();
  const { invisible, trailing, emoji, looseEmoji } = patterns;
  if (invisible.test(character)) return 0;
  if (emoji.test(character) || looseEmoji.test(character)) return 2;
  return (WIDE.test(character) ? 2 : 1) + (character.match(trailing)?.length ?? 0);
}
