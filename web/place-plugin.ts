import { join } from 'node:path'
import type { Alias, Plugin } from 'vite'
import { runnerImport } from 'vite'
import { isOfCampaigns } from '#domain/breadcrumb.ts'
import type { PlacedEntity } from '#domain/place.ts'

const ID = 'virtual:place'
/** Icons of pages that are no entity's. */
const NAME = /icon: '([A-Z][A-Za-z0-9]+)'/gu

/** The declarations, executed: a text search could not follow what they import. */
const readPlaces = async (root: string, alias: readonly Alias[]) => {
  const { module, dependencies } = await runnerImport<{
    PLACES: readonly PlacedEntity[]
    TOOL_ICONS: readonly string[]
  }>(join(root, 'place-source.ts'), { configFile: false, resolve: { alias: [...alias] } })
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
