import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { formatLicences } from '../../scripts/licences.ts';

/** Beside the pages: whose code is in them. */
const licences: Plugin = {
  name: 'licences',
  generateBundle(_, bundle) {
    const files = Object.values(bundle).flatMap((it) =>
      it.type === 'chunk' ? Object.keys(it.modules) : [],
    );
    const source = formatLicences(files.map((file) => file.replace(/^\0|\?.*$/g, '')));
    this.emitFile({ type: 'asset', fileName: 'licences.txt', source });
  },
};

/** `npm run dev`: the server of a project, which answers only those who come from its own address. */
const { SAGA_DEV_SERVER: target } = process.env;

export default defineConfig({
  server: target
    ? { proxy: { '/api': { target, changeOrigin: true, headers: { origin: target } } } }
    : {},
  plugins: [react(), tailwindcss(), licences],
  publicDir: 'src/client/public',
  build: {
    outDir: 'dist/client',
    emptyOutDir: true,
    target: 'es2023',
    modulePreload: { polyfill: false },
    // A data: address would have to be allowed by the page's content policy.
    assetsInlineLimit: 0,
  },
});
