import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'vite'

/** Builds the web chat with the console: one script without imports, `chat/widget.js`, for pages of other sites. */
export const widgetPlugin = (
  alias: { readonly find: RegExp; readonly replacement: string }[],
  outDir: string,
): Plugin => ({
  name: 'parley-widget',
  apply: 'build',
  async closeBundle() {
    await build({
      configFile: false,
      root: fileURLToPath(new URL('.', import.meta.url)),
      logLevel: 'warn',
      publicDir: false,
      resolve: { alias },
      build: {
        outDir: `${outDir}/chat`,
        emptyOutDir: true,
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
  },
})
