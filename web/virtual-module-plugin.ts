import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type Alias, type Plugin, runnerImport } from 'vite'
import { isOfCampaigns } from '#domain/breadcrumb.ts'
import type { PlacedEntity } from '#domain/place.ts'

const LANGUAGE_TEXT_ID = 'virtual:language-text'
/** Names in menus, breadcrumb and palette. */
const NAMES = ['name', 'plural', 'menu'] as const

const read = (file: string): Record<string, unknown> => JSON.parse(readFileSync(file, 'utf8'))

const namesOf = (texts: Record<string, unknown>) =>
  Object.fromEntries(NAMES.flatMap(key => (texts[key] === undefined ? [] : [[key, texts[key]]])))

/** Source of a record of loaders. The bundler drops named exports of modules of which only the default is read. */
const loadersOf = (paths: Readonly<Record<string, string>>) =>
  `{ ${Object.entries(paths)
    .map(([name, path]) => `'${name}': () => import(${JSON.stringify(path)}).then(module => module.default)`)
    .join(', ')} }`

const byName = (names: readonly string[], pathOf: (name: string) => string) =>
  loadersOf(Object.fromEntries(names.map(name => [name, pathOf(name)])))

/**
 * `virtual:language-text`: two loaders per language. `…/name/{language}`: the names of all entities and the texts that
 * they share. `…/namespace/{language}`: a loader per namespace, so that a page loads the addresses of one language only.
 */
export const languageTextPlugin = (locales: string): Plugin => ({
  name: 'parley-language-text',
  resolveId: id => (id === LANGUAGE_TEXT_ID || id.startsWith(`${LANGUAGE_TEXT_ID}/`) ? `\0${id}` : undefined),
  load(id) {
    if (id === `\0${LANGUAGE_TEXT_ID}`) {
      const languages = globSync('*', { cwd: locales }).sort()
      return [
        `export const ENTITY_NAMES = ${byName(languages, language => `${LANGUAGE_TEXT_ID}/name/${language}`)}`,
        `export const NAMESPACES = ${byName(languages, language => `${LANGUAGE_TEXT_ID}/namespace/${language}`)}`,
      ].join('\n')
    }
    if (!id.startsWith(`\0${LANGUAGE_TEXT_ID}/`)) return undefined
    const folder = join(locales, basename(id))
    if (id.startsWith(`\0${LANGUAGE_TEXT_ID}/namespace/`)) {
      const names = globSync(['*.json', 'entity/*.json'], { cwd: folder }).map(file => file.slice(0, -'.json'.length))
      return `export default ${byName(names.sort(), name => join(folder, `${name}.json`))}`
    }
    const shared = join(folder, 'entity.json')
    const files = globSync('entity/*.json', { cwd: folder }).map(file => join(folder, file))
    for (const file of [shared, ...files]) this.addWatchFile(file)
    const names = Object.fromEntries(files.sort().map(file => [basename(file, '.json'), namesOf(read(file))]))
    return `export default ${JSON.stringify({ ...read(shared), ...names })}`
  },
})

const ID = 'virtual:place'
/** Icons of pages that are no entity's. */
const NAME = /icon: '([A-Z][A-Za-z0-9]+)'/gu

/** The declarations, executed: a text search could not follow what they import. */
const readPlaces = async (root: string, alias: readonly Alias[]) => {
  const { module, dependencies } = await runnerImport<{
    PLACES: readonly PlacedEntity[]
    TOOL_ICONS: readonly string[]
  }>(join(root, '../domain/placed-entity.ts'), { configFile: false, resolve: { alias: [...alias] } })
  return { places: module.PLACES, toolIcons: module.TOOL_ICONS, dependencies }
}

const inMenu = (entity: PlacedEntity) =>
  entity.place.menu !== undefined || entity.place.bot !== undefined || isOfCampaigns(entity)

/**
 * `virtual:place`: name, place and parent of every entity, and the icons of the menus. The shell needs no more of the
 * declarations, whose schemas stay out of the first load.
 */
export const placePlugin = (root: string): Plugin => {
  let alias: readonly Alias[] = []
  return {
    name: 'parley-place',
    configResolved: config => {
      alias = config.resolve.alias
    },
    resolveId: id => (id === ID ? `\0${ID}` : undefined),
    async load(id) {
      if (id !== `\0${ID}`) return undefined
      const { places, toolIcons, dependencies } = await readPlaces(root, alias)
      const menu = join(root, '../domain/menu.ts')
      for (const file of [menu, ...dependencies]) this.addWatchFile(file)
      const own = [...(await this.fs.readFile(menu, { encoding: 'utf8' })).matchAll(NAME)].map(([, name]) => name ?? '')
      const icons = [...new Set([...own, ...toolIcons, ...places.filter(inMenu).map(({ icon }) => icon)])].sort()
      return [
        `import { ${icons.join(', ')} } from 'lucide-react'`,
        `export const ICONS = { ${icons.join(', ')} }`,
        `export const PLACES = ${JSON.stringify(places)}`,
      ].join('\n')
    },
  }
}

const QUOTED = /'([A-Z][A-Za-z0-9]+)'/g

/** A glob without dots and slashes: browsers would shorten `../` in the address that the development server gives it. */
const encode = (glob: string): string => Buffer.from(glob).toString('base64url')
const decode = (encoded: string): string => Buffer.from(encoded, 'base64url').toString()

/**
 * `virtual:icon/<glob>`: a record of the lucide icons that the files of that glob name in quotes. So a declaration
 * chooses its icon by name, and the browser loads that one alone.
 */
export const iconPlugin = (root: string): Plugin => {
  const name = 'virtual:icon/'
  const prefix = `\0${name}`
  return {
    name: 'parley-icon',
    resolveId: id => (id.startsWith(name) ? `${prefix}${encode(id.slice(name.length))}` : undefined),
    async load(id) {
      if (!id.startsWith(prefix)) return undefined
      const lucide = await import('lucide-react')
      const glob = decode(id.slice(prefix.length))
      const files = globSync(glob, { cwd: root }).map(file => join(root, file))
      // A file that was renamed would leave its icons out.
      if (files.length === 0) this.error(`virtual:icon finds no file at ${glob}`)
      for (const file of files) this.addWatchFile(file)
      const named = files.flatMap(file => [...readFileSync(file, 'utf8').matchAll(QUOTED)].map(match => match[1] ?? ''))
      const icons = [...new Set(named)].filter(name => Object.hasOwn(lucide, name)).sort()
      return `import { ${icons.join(', ')} } from 'lucide-react'\nexport const ICONS = { ${icons.join(', ')} }`
    },
  }
}
