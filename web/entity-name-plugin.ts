import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Plugin } from 'vite'

const ID = 'virtual:entity-name'
/** Names in menus, breadcrumb and palette. */
const NAMES = ['name', 'plural', 'menu'] as const

const read = (file: string): Record<string, unknown> => JSON.parse(readFileSync(file, 'utf8'))

const namesOf = (texts: Record<string, unknown>) =>
  Object.fromEntries(NAMES.flatMap(key => (texts[key] === undefined ? [] : [[key, texts[key]]])))

/**
 * `virtual:entity-name`: a loader per language; `virtual:entity-name/{language}`: the names of all entities, and the
 * texts that they share. The other texts of an entity are loaded with its page.
 */
export const entityNamePlugin = (locales: string): Plugin => ({
  name: 'parley-entity-name',
  resolveId: id => (id === ID || id.startsWith(`${ID}/`) ? `\0${id}` : undefined),
  load(id) {
    if (id === `\0${ID}`) {
      const languages = globSync('*', { cwd: locales }).sort()
      const loaders = languages.map(language => `'${language}': () => import('${ID}/${language}')`)
      return `export const ENTITY_NAMES = { ${loaders.join(', ')} }`
    }
    if (!id.startsWith(`\0${ID}/`)) return undefined
    const folder = join(locales, basename(id))
    const files = globSync('entity/*.json', { cwd: folder }).map(file => join(folder, file))
    const shared = join(folder, 'entity.json')
    for (const file of [shared, ...files]) this.addWatchFile(file)
    const names = Object.fromEntries(files.sort().map(file => [basename(file, '.json'), namesOf(read(file))]))
    return `export default ${JSON.stringify({ ...read(shared), ...names })}`
  },
})
