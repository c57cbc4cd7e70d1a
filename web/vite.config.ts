import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { blockCategoryPlugin } from './block-category-plugin.ts'
import { entityNamePlugin } from './entity-name-plugin.ts'
import { iconPlugin } from './icon-plugin.ts'
import { placePlugin } from './place-plugin.ts'
import { widgetPlugin } from './widget-plugin.ts'

const folder = (name: string) => fileURLToPath(new URL(`../${name}`, import.meta.url))
/** Chakra declares its theme by calls that the bundler would otherwise keep, for components that nothing here shows. */
const DECLARATIONS = ['defineConfig', 'defineRecipe', 'defineSlotRecipe', 'defineTokens', 'defineSemanticTokens']
  .concat(['defineTextStyles', 'defineLayerStyles', 'defineAnimationStyles', 'defineKeyframes', 'defineGlobalStyles'])
  .concat(['createAnatomy', 'defineStyle', 'mapEntries'])

/** Groups a language's texts into chunks: common texts, lists, tools, designer. Entity texts have their own chunks. */
const textChunk = (id: string): string | null => {
  const [, named] = /virtual:entity-name[\\/](\w+)$/u.exec(id) ?? []
  if (named !== undefined) return `text-${named}`
  const [, language, namespace] = /[\\/]locales[\\/](\w+)[\\/](\w+)\.json$/u.exec(id) ?? []
  if (language === undefined || namespace === undefined) return null
  if (namespace === 'list' || namespace === 'tool') return `${namespace}-text-${language}`
  return namespace === 'designer' || namespace === 'block' ? `designer-text-${language}` : `text-${language}`
}

const ENTITY_NAMES = 'decode-named-character-reference'

/** Browsers get an entry of this package that needs a document, which a worker does not have. */
const withoutDocument: Plugin = {
  name: 'without-document',
  enforce: 'pre',
  resolveId: id => (id === ENTITY_NAMES ? fileURLToPath(import.meta.resolve(ENTITY_NAMES)) : null),
}

/** The development server takes plugins of workers for the build alone, so there the page gets this entry as well. */
const withoutDocumentInDevelopment: Plugin = {
  name: 'without-document-in-development',
  apply: 'serve',
  config: () => ({
    resolve: { alias: [{ find: ENTITY_NAMES, replacement: fileURLToPath(import.meta.resolve(ENTITY_NAMES)) }] },
  }),
}

const gateway = process.env.PARLEY_GATEWAY ?? 'http://127.0.0.1:3000'

const ALIAS = ['schemas', 'domain', 'web'].map(name => ({
  find: new RegExp(`^#${name}/`),
  replacement: `${folder(name)}/`,
}))

/** The build of the reader of CSV that needs nothing of Node.js. */
const BROWSER_CSV = { find: /^csv-parse\/sync$/u, replacement: 'csv-parse/browser/esm/sync' }

/** The console. In development (`npm run dev`) Vite answers for its sources, the gateway of PARLEY_GATEWAY for the rest. */
export default defineConfig({
  root: folder('web'),
  base: '/botadmin/',
  cacheDir: folder('.cache/vite'),
  plugins: [
    react(),
    withoutDocumentInDevelopment,
    iconPlugin(folder('web')),
    placePlugin(folder('web')),
    entityNamePlugin(folder('schemas/locales')),
    blockCategoryPlugin(folder('schemas/blocks')),
    widgetPlugin(ALIAS, folder('web/dist')),
  ],
  resolve: { alias: [...ALIAS, BROWSER_CSV] },
  // Packages that only workers import would be found late, and each find reloads the page.
  optimizeDeps: { entries: ['*.html', '**/*worker.ts'] },
  // Workers fetch their engines by themselves, each when it is first needed.
  worker: { format: 'es', plugins: () => [withoutDocument] },
  build: {
    outDir: folder('web/dist'),
    emptyOutDir: true,
    target: 'es2023',
    sourcemap: false,
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      treeshake: { manualPureFunctions: DECLARATIONS },
      output: {
        codeSplitting: {
          groups: [
            { name: 'react', test: /node_modules[\\/](react|react-dom|scheduler|react-router)[\\/]/, priority: 3 },
            { name: textChunk, debugName: 'texts', priority: 3 },
            // One file for what the shell needs at once: many small ones cost requests and compress worse.
            { name: 'shell', tags: ['$initial'], priority: 2 },
            // Puts common modules into the first page: 70 requests for a list, not 160.
            { name: 'page', minShareCount: 12, maxModuleSize: 40_000, priority: 1 },
          ],
        },
      },
    },
  },
  server: {
    host: '127.0.0.1',
    proxy: {
      // The console's sources have such addresses too: web/api/, web/theme/.
      '^/botadmin/api/(?!.*\\.tsx?($|\\?))': { target: gateway },
      '^/botadmin/(t|files)/': { target: gateway },
      '/botadmin/socket.io': { target: gateway, ws: true },
      '/botadmin/realtime': { target: gateway, ws: true },
      // Chats, channels, agents: all that is outside of the console.
      '^/(?!botadmin/)': { target: gateway, ws: true },
    },
  },
})
