import { WIDE } from './wide-characters.ts';

/** Matches text whose characters take one column each, whatever follows them. Nearly all texts match. */
const PLAIN =
  /^[\x20-\x7e\u00a0-\u00ac\u00ae-\u02ff\u2010-\u2027\u2190-\u21ff\u2500-\u25fc\u2713-\u2718]*$/;

/** Built when the first unusual character is measured, because these patterns take 20 ms to build. */
const buildPatterns = () => ({
  invisible: /^[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Cs}\p{Mn}\p{Me}]*$/u,
  /** Marks and half-width forms that follow another character and take a column of their own. */
  trailing: /(?<=.)[\p{Mc}\uff00-\uffef]/gsu,
  emoji: /^\p{RGI_Emoji}$/v,
  /** A keycap, or several emoji joined into one, without the variation selector that asks for an emoji. */
  looseEmoji: /^(?:[\d#*]\u20e3|(?=.*\u200d)\p{ExtPict}.*\p{ExtPict}.*)$/su,
});
let patterns: ReturnType<typeof buildPatterns> | undefined;

/** Korean letters in parts, as some file systems return them. A terminal draws the parts as one letter. */
const KOREAN_PARTS = /[\u1100-\u11ff]/;

let segmenter: Intl.Segmenter | undefined;

/** Splits a text into what a person sees as one character, such as a letter with accents or a family emoji. */
export function splitCharacters(text: string): string[] {
  if (PLAIN.test(text)) return [...text];
  segmenter ??= new Intl.Segmenter();
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** Returns the number of columns that a text takes on a terminal. The text must contain no marks. */
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
