import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { type BuildOptions, build, defineConfig, type Plugin } from 'vite'
import { baseChunk, earlyChunkPlugin, formChunk, textChunk } from './chunk-plugin.ts'
import { iconPlugin, languageTextPlugin, placePlugin } from './virtual-module-plugin.ts'

type Alias = { readonly find: RegExp; readonly replacement: string }[]

const buildWidget = (alias: Alias, output: BuildOptions) =>
  build({
    configFile: false,
    root: fileURLToPath(new URL('.', import.meta.url)),
    logLevel: 'warn',
    publicDir: false,
    resolve: { alias },
    build: {
      ...output,
      target: 'es2022',
      sourcemap: false,
      lib: {
        entry: fileURLToPath(new URL('chat/main.ts', import.meta.url)),
        formats: ['iife'],
        name: 'parleyChatScript',
        fileName: () => 'widget.js',
      },
    },
  })

const codeOf = (built: Awaited<ReturnType<typeof build>>): string => {
  const [bundle] = [built].flat()
  const [chunk] = bundle !== undefined && 'output' in bundle ? bundle.output : []
  if (chunk?.type !== 'chunk') throw new Error('the web chat was built without a script')
  return chunk.code
}

/**
 * Builds the web chat with the console: one script without imports, `chat/widget.js`, for pages of other sites. The
 * development server builds it for each request, so that a reload shows the current sources.
 */
const widgetPlugin = (alias: Alias, outDir: string): Plugin => ({
  name: 'parley-widget',
  configureServer: ({ middlewares }) => {
    middlewares.use('/chat/widget.js', (_request, response, next) => {
      buildWidget(alias, { write: false, minify: false }).then(built => {
        response.setHeader('content-type', 'text/javascript')
        response.setHeader('cache-control', 'no-store')
        response.end(codeOf(built))
      }, next)
    })
  },
  async closeBundle() {
    if (this.environment.mode === 'dev') return
    await buildWidget(alias, { outDir: `${outDir}/chat`, emptyOutDir: true })
  },
})

const ID = 'virtual:block-category'
const TYPE = /type: '(\w+)',\s+category: '(\w+)'/g

/** `virtual:block-category`: block type → category, from the declarations' text: miniatures need no more of them. */
const blockCategoryPlugin = (blocks: string): Plugin => ({
  name: 'parley-block-category',
  resolveId: id => (id === ID ? `\0${ID}` : undefined),
  load(id) {
    if (id !== `\0${ID}`) return undefined
    const files = globSync('*.ts', { cwd: blocks }).map(file => join(blocks, file))
    for (const file of files) this.addWatchFile(file)
    const found = files.flatMap(file => [...readFileSync(file, 'utf8').matchAll(TYPE)])
    return `export const CATEGORIES = ${JSON.stringify(Object.fromEntries(found.map(([, type, category]) => [type, category])))}`
  },
})

const folder = (name: string) => fileURLToPath(new URL(`../${name}`, import.meta.url))
/** Chakra declares its theme by calls that the bundler would otherwise keep, for components that nothing here shows. */
const DECLARATIONS = ['defineConfig', 'defineRecipe', 'defineSlotRecipe', 'defineTokens', 'defineSemanticTokens']
  .concat(['defineTextStyles', 'defineLayerStyles', 'defineAnimationStyles', 'defineKeyframes', 'defineGlobalStyles'])
  .concat(['createAnatomy', 'defineStyle', 'mapEntries'])

/** `web/theme/system.ts` replaces the colors of Chakra's theme. */
const withoutColors: Plugin = {
  name: 'parley-without-colors',
  load: {
    filter: { id: /@chakra-ui[\\/]react[\\/]dist[\\/]esm[\\/]theme[\\/]tokens[\\/]colors\.js$/ },
    handler: () => 'export const colors = {}',
  },
}

const DISPLAY_NAME = /^\w+\.displayName = [^\n]*;$/gmu
const REACT_CALL = /= (React\d*\.(?:forwardRef|createContext)\()/gu

/**
 * Names for developer tools keep each component of these packages in the build, whether something uses it or not. Without
 * them and with their calls marked as pure, the bundler leaves the others out.
 */
const withoutDisplayNames: Plugin = {
  name: 'parley-without-display-names',
  apply: 'build',
  transform: {
    filter: { id: /node_modules[\\/](react-router|@chakra-ui|@ark-ui)[\\/].*\.m?js$/ },
    handler: code => ({
      code: code.replace(DISPLAY_NAME, '').replace(REACT_CALL, '= /* @__PURE__ */ $1'),
      map: null,
    }),
  },
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

/**
 * The package names its development build to every bundler. Its production build has the same code without warnings.
 */
const productionRouter: Plugin = {
  name: 'parley-production-router',
  apply: 'build',
  enforce: 'pre',
  resolveId: id =>
    id === 'react-router'
      ? fileURLToPath(import.meta.resolve(id)).replace('/dist/development/', '/dist/production/')
      : null,
}

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
    productionRouter,
    withoutColors,
    withoutDisplayNames,
    iconPlugin(folder('web')),
    placePlugin(folder('web')),
    languageTextPlugin(folder('schemas/locales')),
    blockCategoryPlugin(folder('schemas/blocks')),
    earlyChunkPlugin,
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
    // Browsers that lack module preloading only load later. A chunk of texts imports nothing that it could preload.
    modulePreload: {
      polyfill: false,
      resolveDependencies: (file, needed) => (/\btext-(en|es|pt)-/u.test(file) ? [] : needed),
    },
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      treeshake: {
        manualPureFunctions: DECLARATIONS,
        // CommonJS that Emotion needs for a function that nothing here calls.
        moduleSideEffects: [{ test: /node_modules[\\/](hoist-non-react-statics|react-is)[\\/]/, sideEffects: false }],
      },
      output: {
        codeSplitting: {
          groups: [
            // With the helper that each lazy import calls, else a chunk of texts would be the one that has it.
            {
              name: 'react',
              test: /node_modules[\\/](react|react-dom|scheduler|react-router)[\\/]|preload-helper/,
              priority: 4,
            },
            { name: textChunk, debugName: 'texts', priority: 4 },
            // One file for each step of a start: many small ones cost requests and compress worse.
            { name: 'start', tags: ['$initial'], priority: 3 },
            // The sign-in page loads a third of what the other pages have in common.
            { name: baseChunk, debugName: 'base', priority: 2 },
            { name: formChunk, debugName: 'form', minShareCount: 12, priority: 2 },
            // Puts common modules into the first page: 70 requests for a list, not 160.
            { name: 'page', minShareCount: 12, maxModuleSize: 40_000, priority: 1 },
            { name: 'icon', test: /[\\/]lucide-react[\\/]dist[\\/]esm[\\/]icons[\\/]/, minShareCount: 2 },
            { name: 'frame', test: /[\\/]web[\\/]app[\\/]frame\.tsx$/ },
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
