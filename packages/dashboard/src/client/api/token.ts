/**
 * The token comes once, in the address that `saga dashboard` opens. It is kept for this tab only and
 * taken out of the address, which people copy.
 */
const KEY = 'saga-token';

const token = takeToken();

export function readToken(): string | null {
  return token;
}

function takeToken(): string | null {
  const url = new URL(window.location.href);
  const given = url.searchParams.get('token');
  if (given === null) return readStored();
  url.searchParams.delete('token');
  window.history.replaceState(window.history.state, '', url);
  store(given);
  return given;
}

function readStored(): string | null {
  try {
    return sessionStorage.getItem(KEY);
  } catch {
    // Storage may be forbidden.
    return null;
  }
}

function store(value: string): void {
  try {
    sessionStorage.setItem(KEY, value);
  } catch {
    // Storage may be forbidden; the token then lasts as long as the page.
  }
}
