/** The only place of this package that reads the process around it. */
export const environment = {
  variables: (): Readonly<Record<string, string | undefined>> => process.env,
  workingFolder: (): string => process.cwd(),
  editor: (): string => process.env.VISUAL || process.env.EDITOR || 'vi',
  noColour: (): boolean => Boolean(process.env.NO_COLOR),
  forceColour: (): boolean => Boolean(process.env.FORCE_COLOR),
  /** Where a session says its project is; used when the working folder has none. */
  projectFolder: (): string | undefined => process.env.SAGA_PROJECT_DIR || undefined,
  columns: (): number | undefined => Number(process.env.COLUMNS) || undefined,
};
