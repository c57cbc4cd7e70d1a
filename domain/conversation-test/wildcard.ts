import { folded } from '#domain/fold-text.ts'

/** Whether a text matches a pattern with the wildcard `*`; capitals and accents are ignored. */
export const matchesWildcard = (pattern: string, text: string): boolean => {
  const source = folded(pattern.trim())
    .split('*')
    .map(part => part.replaceAll(/[\\^$.|?+()[\]{}]/gu, '\\$&'))
    .join('.*')
  return new RegExp(`^${source}$`, 'su').test(folded(text.trim()))
}

/** `GET /clientes/*` or `GET https://…`: a path alone is that of any host; the query counts where the pattern has one. */
export const matchesCall = (pattern: string, method: string, address: string): boolean => {
  const [, wanted = '', place = ''] = /^\s*(?:([A-Za-z*]+)\s+)?(\S*)\s*$/u.exec(pattern) ?? []
  if (wanted !== '' && wanted !== '*' && wanted.toUpperCase() !== method.toUpperCase()) return false
  const [, host = '', path = ''] = /^([a-z][a-z\d+.-]*:\/\/[^/?#]*)?([^#]*)/iu.exec(address.trim()) ?? []
  const [bare = ''] = path.split('?')
  const asked = place.includes('?') ? path : bare
  return matchesWildcard(place, place.startsWith('/') ? asked || '/' : `${host}${asked}`)
}
