const PERSON_COLORS = ['1', '2', '3', '4', '5', '6', '7', '8'] as const
type PersonColor = (typeof PERSON_COLORS)[number]

const FNV_OFFSET = 0x811c9dc5
const FNV_PRIME = 0x01000193

/** Which of the eight person colours someone has: the same everywhere and for ever, from their id alone (FNV-1a). */
export const personColor = (user: string): PersonColor => {
  let hash = FNV_OFFSET
  for (let at = 0; at < user.length; at++) hash = Math.imul(hash ^ user.charCodeAt(at), FNV_PRIME) >>> 0
  // The low bits of FNV alone fall into patterns on ids that differ in one digit.
  const mixed = (hash ^ (hash >>> 15)) >>> 0
  return PERSON_COLORS[mixed % PERSON_COLORS.length] ?? '1'
}
