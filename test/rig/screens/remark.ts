import { type Page, settle } from './browser.ts';

/** Clicks on the number of a line, such as `new 6`, and types once the field has the focus. */
export async function remark(page: Page, line: string, text: string): Promise<void> {
  const number = page.locator(`[data-remark="${line}"]`).first();
  await number.waitFor();
  await settle(page);
  await number.click();
  await page.locator('textarea:focus').waitFor();
  await page.keyboard.type(text);
}
