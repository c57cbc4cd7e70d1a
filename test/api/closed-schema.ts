/** Objects admit only the members that are described, and references lead into the document. */
export const closed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(closed)
  if (value === null || typeof value !== 'object') return value
  const entries = Object.entries(value).map(([key, member]) => [
    key,
    key === '$ref' && typeof member === 'string' ? member.replace(/^#/, 'openapi#') : closed(member),
  ])
  const object = Object.fromEntries(entries)
  return 'properties' in object && object.type === 'object' ? { additionalProperties: false, ...object } : object
}
