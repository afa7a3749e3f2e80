import { Link } from '@tanstack/react-router';
import { Empty } from '../ui/notice.tsx';

export function NotFound() {
  return (
    <main id="main" tabIndex={-1} className="mx-auto max-w-lg px-4 py-16 outline-none">
      <h1 className="sr-only">No such page</h1>
      <Empty title="There is no such page.">
        <Link to="/" className="link">
          Back to the overview
        </Link>
      </Empty>
    </main>
  );
}
