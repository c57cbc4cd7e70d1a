import type { FastifyRequest } from 'fastify'

/** Whether the caller has this revision already and says so: `If-None-Match`, one or a list, weak ones as well, or `*`. */
export const isKnownRevision = (request: FastifyRequest, revision: number): boolean => {
  const value = request.headers['if-none-match']
  if (value === undefined) return false
  const tags = value.split(',').map(tag => tag.trim().replace(/^W\//, ''))
  return tags.includes(`"${revision}"`) || tags.includes('*')
}
