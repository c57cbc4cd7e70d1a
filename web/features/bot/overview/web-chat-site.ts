import type { Json } from '#schemas/event.ts'

interface SiteLine {
  readonly time: string
  readonly service: string | null
  readonly detail: string | null
  readonly count: number
}

interface CountedSite {
  readonly site: string
  readonly count: number
  readonly latest: string
}

export const sitesOf = (origins: Json | undefined): readonly string[] =>
  typeof origins === 'string'
    ? origins
        .split(';')
        .map(site => site.trim())
        .filter(site => site !== '')
    : []

/** The origin of a typed address: the scheme may be missing, a path is dropped. Undefined for anything else. */
export const originOf = (typed: string): string | undefined => {
  const text = typed.trim()
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `https://${text}`
  if (!URL.canParse(address)) return undefined
  const { origin, protocol, hostname } = new URL(address)
  const isHost = hostname === 'localhost' || /[.:]/.test(hostname)
  return /^https?:$/.test(protocol) && isHost ? origin : undefined
}

/** Sites of a channel in lines of its bot's log, the most frequent first; of pages where a chat began, or was refused. */
export const countedSites = (lines: readonly SiteLine[], channel: string): readonly CountedSite[] => {
  const sites = new Map<string, CountedSite>()
  for (const { time, service, detail: site, count } of lines) {
    if (site === null || service?.endsWith(`:${channel}`) !== true) continue
    const known = sites.get(site)
    const latest = known === undefined || time > known.latest ? time : known.latest
    sites.set(site, { site, count: count + (known?.count ?? 0), latest })
  }
  return [...sites.values()].sort((a, b) => b.count - a.count)
}

const DAY_MS = 86_400_000

type SiteState = 'nosite' | 'waiting' | 'receiving' | 'silent'

/** Whether conversations come from the sites of a chat: within a day, earlier, or never. */
export const siteState = (sites: readonly string[], seen: readonly CountedSite[], now = Date.now()): SiteState => {
  const last = seen
    .map(({ latest }) => latest)
    .sort()
    .at(-1)
  if (last !== undefined) return now - Date.parse(last) < DAY_MS ? 'receiving' : 'silent'
  return sites.length === 0 ? 'nosite' : 'waiting'
}
