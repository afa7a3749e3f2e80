import ReactMarkdown, { type Components } from 'react-markdown';
import rehypeSanitize, { defaultSchema } from 'rehype-sanitize';
import remarkGfm from 'remark-gfm';
import { WebLink } from '../ui/web-link.tsx';

/**
 * Models write this text, so it is not trusted: HTML stays text, no picture is loaded (its server would learn
 * who looks), and only web links are followed.
 */
const schema = {
  ...defaultSchema,
  tagNames: defaultSchema.tagNames?.filter((tag) => tag !== 'img' && tag !== 'input'),
  protocols: { href: ['http', 'https'] },
  clobberPrefix: 'text-',
};

/** Headings get a lower level than those of the page. */
const components: Components = {
  a: ({ href, children }) => <WebLink to={href ?? ''}>{children}</WebLink>,
  h1: 'h3',
  h2: 'h3',
  h3: 'h4',
  h4: 'h5',
  h5: 'h6',
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by keyboard
  pre: ({ children }) => <pre tabIndex={0}>{children}</pre>,
  table: ({ children }) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by keyboard
    <table tabIndex={0}>{children}</table>
  ),
};

export default function Markdown({ text }: { text: string }) {
  return (
    <div className="prose">
      <ReactMarkdown
        remarkPlugins={[remarkGfm]}
        rehypePlugins={[[rehypeSanitize, schema]]}
        components={components}
        skipHtml={false}
      >
        {text}
      </ReactMarkdown>
    </div>
  );
}
