import { fileURLToPath } from 'node:url'
import { type BuildOptions, build, type Plugin } from 'vite'

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
export const widgetPlugin = (alias: Alias, outDir: string): Plugin => ({
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
