// Before the first paint, so that the page never flashes the other theme.
let theme = null;
try {
  theme = localStorage.getItem('saga-theme');
} catch {
  // Storage may be forbidden; the system's theme is used then.
}
if (theme !== 'light' && theme !== 'dark') {
  theme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}
document.documentElement.dataset.theme = theme;
