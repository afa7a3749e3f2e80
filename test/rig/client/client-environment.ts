export interface ClientPlace {
  home: string;
  temp: string;
  path?: string;
  /** Where the scripted model listens. By default a port at which nobody answers. */
  modelUrl?: string | undefined;
}

/** Builds the environment of the real client: a home of its own, the model on loopback, and no other traffic. */
export function buildClientEnvironment(place: ClientPlace) {
  const { home, temp, path = process.env.PATH ?? '', modelUrl = 'http://127.0.0.1:9' } = place;
  return {
    PATH: path,
    HOME: home,
    TMPDIR: temp,
    CLAUDE_CODE_TMPDIR: temp,
    TERM: 'dumb',
    LANG: 'C.UTF-8',
    ANTHROPIC_BASE_URL: modelUrl,
    ANTHROPIC_API_KEY: 'dummy',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
  };
}
