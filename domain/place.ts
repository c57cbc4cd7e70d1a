import type { EntityPlace } from '#schemas/place.ts'

/** Entity data for menus, trail and routes. Small: it is part of the browser's first load. */
export interface PlacedEntity {
  readonly name: string
  /** lucide icon name. */
  readonly icon: string
  /** Field shown as its name. */
  readonly title: string
  readonly place: EntityPlace
  /** Reference field that holds its parent. */
  readonly parent?: string
  /** Rank among the tabs of its parent's page. A tab leads to its list at `/{parent}/{name}/{parent's id}`. */
  readonly tab?: number
  /** Each parent has exactly one: its address leads to the form. */
  readonly single?: true
  /** Addresses that show one section of its form alone: `/{name}/{section}/{id}`. */
  readonly sections?: readonly string[]
  /** Pages of one thing beside its form: `/{name}/{key}/{id}`. */
  readonly pages?: readonly { readonly key: string; readonly icon: string; readonly permission?: string }[]
  /** Has custom pages in `web/features/{name}/`. */
  readonly own?: true
}

export type Entities = ReadonlyMap<string, PlacedEntity>

export const entitiesByName = (entities: readonly PlacedEntity[]): Entities =>
  new Map(entities.map(entity => [entity.name, entity]))

/** Address of the list of all of them. */
export const listAddress = ({ name, place, single, parent }: PlacedEntity): string =>
  place.list ?? (single && parent === undefined ? `/${name}` : `/${name}/search`)

/** Filter of its list: the bot of its section, the parent that shows it as a tab. */
export const sectionParent = ({ place, parent, tab }: PlacedEntity): string | undefined =>
  place.bot ? 'bot' : tab === undefined ? undefined : parent

/** Address of its list within a parent; undefined when it has no such list. */
export const sectionAddress = (entity: PlacedEntity, parentId: string): string | undefined => {
  const { name, place, parent, tab } = entity
  if (place.bot?.address !== undefined) return place.bot.address + parentId
  if (place.bot !== undefined) return `/bot/${place.bot.group === 'settings' ? 'settings/' : ''}${name}/${parentId}`
  return tab === undefined || parent === undefined ? undefined : `/${parent}/${name}/${parentId}`
}

/** Entities that are tabs of a parent's page, in their order. */
export const tabsOf = (entities: Entities, parent: string): readonly PlacedEntity[] =>
  [...entities.values()]
    .filter(entity => entity.tab !== undefined && entity.parent === parent)
    .sort((one, other) => (one.tab ?? 0) - (other.tab ?? 0))

/** Entity of the query parameter `pid` on an entity's page: the bot for everything in a bot, else its parent. */
const pidEntity = (entities: Entities, entity: PlacedEntity | undefined): string | undefined => {
  if (entity === undefined || entity.place.bot !== undefined || entity.place.botList === true) return 'bot'
  for (let at: PlacedEntity | undefined = entity; at?.parent !== undefined; at = entities.get(at.parent))
    if (at.parent === 'bot') return 'bot'
  return entity.parent
}

/** Data about a page's entity from its address alone. */
interface EntityAddress {
  readonly entity: PlacedEntity
  readonly id?: string
  /** Parent entity of the page. */
  readonly within?: { readonly entity: string; readonly id: string }
  /** A list within a parent, or a form below it. */
  readonly section?: true
}

const NO_ID = new Set(['search', 'new'])

const idOf = (part: string | undefined) => (part === undefined || NO_ID.has(part) ? {} : { id: part })

const inParent = (entity: PlacedEntity | undefined, parent: string, parentId: string, id?: string) =>
  entity === undefined || sectionParent(entity) !== parent
    ? undefined
    : { entity, within: { entity: parent, id: parentId }, section: true as const, ...idOf(id) }

/** The parent in a query: by its own name, else the bot or parent that `pid` names. */
const withinOf = (entities: Entities, entity: PlacedEntity, search: string): EntityAddress['within'] => {
  const query = new URLSearchParams(search)
  const byName = entity.parent === undefined ? null : query.get(entity.parent)
  if (byName !== null && entity.parent !== undefined) return { entity: entity.parent, id: byName }
  const pid = query.get('pid')
  const named = pidEntity(entities, entity)
  return pid === null || named === undefined ? undefined : { entity: named, id: pid }
}

/** The query that names a parent, for the page of something in it. */
export const parentQuery = ({ entity, id }: NonNullable<EntityAddress['within']>): string =>
  `?${entity === 'bot' ? 'pid' : entity}=${encodeURIComponent(id)}`

/** `/{entity}/bot/search`: its list, narrowed to the bot that `pid` names. */
const isBotList = ({ place }: PlacedEntity, path: string): boolean =>
  place.botList === true && /^\/\w+\/bot\/search\/?$/u.test(path)

/** The entity with this list or create address. */
const listed = (entities: Entities, path: string): EntityAddress | undefined => {
  const own = path.replace(/\/$/u, '')
  const entity = [...entities.values()].find(({ place }) => place.list === own || place.create === own)
  return entity === undefined ? undefined : { entity }
}

/** The entity, thing and parent that a path of the console names. `search`: its query. */
export const entityAddress = (entities: Entities, path: string, search = ''): EntityAddress | undefined => {
  const parts = path.split('/').filter(part => part !== '')
  const [first = '', second = '', third, fourth] = parts
  if (first === 'bot' && second === 'settings' && third !== undefined && fourth !== undefined)
    return inParent(entities.get(third), 'bot', fourth, parts[4])
  const entity = entities.get(first === 'designer' ? second : first)
  if (entity === undefined) return listed(entities, path)
  if (isBotList(entity, path)) {
    const id = new URLSearchParams(search).get('pid')
    return { entity, section: true, ...(id === null ? {} : { within: { entity: 'bot', id } }) }
  }
  const parent = withinOf(entities, entity, search)
  const within = parent === undefined ? {} : { within: parent }
  if (first === 'designer' || entity.sections?.includes(second)) return { entity, ...within, ...idOf(third) }
  if (entity.pages?.some(({ key }) => key === second))
    return { entity, section: true, ...(third === undefined ? {} : { within: { entity: first, id: third } }) }
  if (third !== undefined) return inParent(entities.get(second), first, third, fourth)
  return { entity, ...within, ...idOf(second || undefined) }
}

/** Pages of a bot whose address may lack its id. */
const BOT_PAGES = new Set(['settings', 'reports', 'conversation', 'insight', 'botlogs'])

/** The bot of an address: from its path, else from its `pid`. */
export const botOfAddress = (entities: Entities, path: string, search: string): string | undefined => {
  const settings = /^\/bot\/settings\/([^/]+)(?:\/([^/]+))?/u.exec(path)
  if (settings !== null) {
    const [, word = '', id] = settings
    const isPage = entities.has(word) || BOT_PAGES.has(word)
    return id ?? (isPage ? (new URLSearchParams(search).get('pid') ?? undefined) : word)
  }
  const ofBot = /^\/bot\/(?:reports|conversation|insight)\/([^/]+)/u.exec(path)?.[1]
  if (ofBot !== undefined) return ofBot
  const at = entityAddress(entities, path, search)
  if (at?.entity.place.botList === true) return undefined
  if (at?.within?.entity === 'bot') return at.within.id
  if (at?.within !== undefined || at?.section) return undefined
  const word = at?.entity.name === 'bot' ? at.id : undefined
  if (word !== undefined && !entities.has(word) && !BOT_PAGES.has(word)) return word
  return at === undefined || at.entity.name === 'bot'
    ? (new URLSearchParams(search).get('pid') ?? undefined)
    : undefined
}

/** The thing whose level a page shows: that of its address (`isOwn`), else the bot or parent of its list. */
export const levelSource = (entities: Entities, path: string, search: string) => {
  const at = entityAddress(entities, path, search)
  if (at?.id !== undefined && at.entity.name !== 'bot') return { entity: at.entity.name, id: at.id, isOwn: true }
  const bot = botOfAddress(entities, path, search)
  if (bot !== undefined) return { entity: 'bot', id: bot, isOwn: at?.id === bot }
  return at?.within === undefined ? undefined : { ...at.within, isOwn: false }
}

/** The section of a bot that a page belongs to: that of its entity. */
export const sectionOf = (entities: Entities, path: string, search: string, bot: string): string | undefined => {
  const entity = entityAddress(entities, path, search)?.entity
  return entity?.place.bot === undefined ? undefined : sectionAddress(entity, bot)
}
