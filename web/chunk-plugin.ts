import { fileURLToPath } from 'node:url'
import type { Plugin, Rolldown } from 'vite'

const FIRST_TEXTS = new Set(['shell', 'entity', 'history'])

/** A language's texts of the shell are one chunk. Other namespaces and texts of entities have their own, for their pages. */
export const textChunk = (id: string): string | null => {
  const [, named] = /virtual:language-text[\\/](?:name|namespace)[\\/](\w+)$/u.exec(id) ?? []
  if (named !== undefined) return `text-${named}`
  const [, language, namespace] = /[\\/]locales[\\/](\w+)[\\/](\w+)\.json$/u.exec(id) ?? []
  if (language === undefined || namespace === undefined) return null
  if (FIRST_TEXTS.has(namespace)) return `text-${language}`
  return namespace === 'designer' || namespace === 'block'
    ? `designer-text-${language}`
    : `${namespace}-text-${language}`
}

const SIGN_IN = fileURLToPath(new URL('features/sign-in/sign-in-page.tsx', import.meta.url))
const FRAME = fileURLToPath(new URL('app/frame.tsx', import.meta.url))
const LATER = fileURLToPath(new URL('app/later-parts.tsx', import.meta.url))

interface ModuleGraph {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null
}

/** A module with its imports, direct and indirect. */
const closureOf = (entry: string, graph: ModuleGraph): ReadonlySet<string> => {
  const found = new Set([entry])
  for (const id of found) for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) found.add(imported)
  return found
}

let ofSignIn: ReadonlySet<string> | undefined
let ofFrame: ReadonlySet<string> | undefined

/** Modules that export many others. Their importers need few of these. */
const BARREL = /node_modules[\\/](?:lucide-react|@chakra-ui|@ark-ui|@zag-js|react-i18next)[\\/]/u

/** Chunk of modules that the sign-in page shares with the frame of the other pages, and of what lies over every page. */
export const baseChunk = (id: string, graph: ModuleGraph): string | null => {
  ofSignIn ??= closureOf(SIGN_IN, graph)
  ofFrame ??= closureOf(FRAME, graph)
  return id === LATER || (ofSignIn.has(id) && ofFrame.has(id) && !BARREL.test(id)) ? 'base' : null
}

/** Chunk of modules that the sign-in page shares with many others. */
export const formChunk = (id: string, graph: ModuleGraph): string | null => {
  ofSignIn ??= closureOf(SIGN_IN, graph)
  return ofSignIn.has(id) ? 'form' : null
}

const ROUTES = fileURLToPath(new URL('app/routes.tsx', import.meta.url))
const SCRIPT = 'src="/botadmin/first-paint.js"'

/** Smaller files take less time than their names in `index.html`. */
const EARLY_MIN_CHARS = 5_000

/** Files that a page of each kind and language loads besides those that `index.html` names. */
const earlyFiles = (bundle: Rolldown.OutputBundle, isNamed: (file: string) => boolean) => {
  const chunks = Object.values(bundle).filter(file => file.type === 'chunk')
  const isLarge = (file: string) => (chunks.find(chunk => chunk.fileName === file)?.code.length ?? 0) >= EARLY_MIN_CHARS
  const filesOf = (module: string) => {
    const files = new Set(chunks.filter(chunk => chunk.moduleIds.includes(module)).map(chunk => chunk.fileName))
    for (const file of files)
      for (const imported of chunks.find(chunk => chunk.fileName === file)?.imports ?? []) files.add(imported)
    return [...files].filter(file => !isNamed(file) && isLarge(file))
  }
  const texts = chunks.flatMap(({ name, fileName }) => {
    const [, language] = /^text-(\w+)$/u.exec(name) ?? []
    return language === undefined ? [] : [[language, fileName]]
  })
  return {
    ...Object.fromEntries(texts),
    signIn: filesOf(SIGN_IN),
    frame: filesOf(FRAME),
    routes: filesOf(ROUTES),
  }
}

/** Gives `first-paint.js` the names of these files. */
export const earlyChunkPlugin: Plugin = {
  name: 'parley-early-chunk',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (html, { bundle }) => {
      if (bundle === undefined) return html
      if (!html.includes(SCRIPT)) throw new Error(`index.html has no ${SCRIPT}`)
      const files = JSON.stringify(earlyFiles(bundle, file => html.includes(file)))
      return html.replace(SCRIPT, `${SCRIPT} data-files='${files}'`)
    },
  },
}
