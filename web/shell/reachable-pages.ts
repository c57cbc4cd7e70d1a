import { PLACES } from 'virtual:place'
import { botMenu, footMenu, hubEntries, type MenuEntry, mainMenu, toolEntries } from '#domain/menu.ts'
import { HUBS } from '#schemas/place.ts'

/** Pages that the menus and hubs lead to, each once; inside a bot its sections first. */
export const reachablePages = (can: (permission: string) => boolean, bot: string | undefined): readonly MenuEntry[] => {
  const inBot = bot === undefined ? [] : botMenu(PLACES, bot, can).flatMap(group => group.entries)
  const main = mainMenu(PLACES, can).flatMap(group => group.entries)
  const hubs = HUBS.flatMap(hub => hubEntries(PLACES, hub, can))
  const others = [...footMenu(PLACES, can), ...toolEntries(can)]
  return [...new Map([...inBot, ...main, ...hubs, ...others].map(entry => [entry.to, entry])).values()]
}
