/**
 * The token is in the address that `saga dashboard` opens. It is stored for this tab only and removed from
 * the address, because people copy addresses.
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
    // Storage may be forbidden. Then the token lasts as long as the page.
  }
}
