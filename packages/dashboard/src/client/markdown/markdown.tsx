import ReactMarkdown, { type Components } from 'react-markdown';
import rehypeSanitize, { defaultSchema } from 'rehype-sanitize';
import remarkGfm from 'remark-gfm';
import { WebLink } from '../ui/web-link.tsx';

/**
 * Models write this text, so it is hostile: HTML stays text, nothing is fetched (a picture's address
 * would tell its server who looks), links lead to the web only.
 */
const schema = {
  ...defaultSchema,
  tagNames: defaultSchema.tagNames?.filter((tag) => tag !== 'img' && tag !== 'input'),
  protocols: { href: ['http', 'https'] },
  clobberPrefix: 'text-',
};

/** Headings stand below those of the page. */
const components: Components = {
  a: ({ href, children }) => <WebLink to={href ?? ''}>{children}</WebLink>,
  h1: 'h4',
  h2: 'h4',
  h3: 'h5',
  h4: 'h5',
  h5: 'h6',
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
