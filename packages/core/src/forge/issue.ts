/** An issue as somebody wrote it. Every text in it is data: it may be hostile, and of any length. */
export interface Issue {
  number: number;
  title: string;
  body: string;
  url: string;
  labels: readonly string[];
  /** A login; empty if the account is gone. */
  author: string;
}
