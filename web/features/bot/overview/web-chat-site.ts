import type { Json } from '#schemas/event.ts'

interface RefusalLine {
  readonly time: string
  readonly service: string | null
  readonly detail: string | null
  readonly count: number
}

interface RefusedSite {
  readonly site: string
  readonly count: number
  /** Time of the latest refusal. */
  readonly latest: string
}

/** Limit of the list: the rest is in the bot's log. */
const MAX_REFUSED = 5

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

/** Refused sites of a channel in the lines of its bot's log, the most frequent first. */
export const refusedSites = (lines: readonly RefusalLine[], channel: string): readonly RefusedSite[] => {
  const sites = new Map<string, RefusedSite>()
  for (const { time, service, detail: site, count } of lines) {
    if (site === null || service?.endsWith(`:${channel}`) !== true) continue
    const known = sites.get(site)
    const latest = known === undefined || time > known.latest ? time : known.latest
    sites.set(site, { site, count: count + (known?.count ?? 0), latest })
  }
  return [...sites.values()].sort((a, b) => b.count - a.count).slice(0, MAX_REFUSED)
}
