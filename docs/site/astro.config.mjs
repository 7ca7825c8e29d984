import { readFileSync } from 'node:fs';
import starlight from '@astrojs/starlight';
import { defineConfig, passthroughImageService } from 'astro/config';
import starlightOpenApi from 'starlight-openapi';

// bin/docs writes these beside this file before it builds: what the pages are, and what the reference is made of.
const sidebar = JSON.parse(readFileSync(new URL('./sidebar.json', import.meta.url), 'utf8'));

export default defineConfig({
  // The mark that a stage puts its own path in the place of: one build serves every stage.
  base: '/__base__/docs',
  trailingSlash: 'never',
  build: { inlineStylesheets: 'never' },
  vite: { build: { assetsInlineLimit: 0 } },
  image: { service: passthroughImageService() },
  prefetch: false,
  devToolbar: { enabled: false },
  integrations: [
    starlight({
      title: 'Transactions',
      favicon: '/icon.svg',
      credits: false,
      pagefind: false,
      components: { Search: './src/components/Search.astro' },
      customCss: ['./src/styles/own.css'],
      plugins: [
        starlightOpenApi([{ base: 'reference', schema: './openapi.json', snippets: { response: false } }]),
      ],
      sidebar,
    }),
  ],
});
