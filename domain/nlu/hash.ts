/** FNV-1a over UTF-16 units, mixed at the end (constants of lowbias32). Features and phrases are kept as such numbers. */
const PRIME = 0x01000193

export const hashStep = (hash: number, unit: number): number => Math.imul(hash ^ unit, PRIME)

export const hashEnd = (hash: number): number => {
  let mixed = hash ^ (hash >>> 16)
  mixed = Math.imul(mixed, 0x7feb352d)
  mixed ^= mixed >>> 15
  mixed = Math.imul(mixed, 0x846ca68b)
  return mixed ^ (mixed >>> 16)
}

/** A signed 32-bit number of a text. */
export const hashText = (seed: number, text: string): number => {
  let hash = seed
  for (let at = 0; at < text.length; at++) hash = hashStep(hash, text.charCodeAt(at))
  return hashEnd(hash)
}

/** Numbers from 0 to 1 in an order that depends on the seed alone (xorshift32). */
export const seededRandom = (seed: number): (() => number) => {
  let state = seed | 0 || 1
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 4_294_967_296
  }
}

/** Fisher–Yates. */
export const shuffle = (list: Int32Array, random: () => number): void => {
  for (let at = list.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1))
    const held = list[at] as number
    list[at] = list[other] as number
    list[other] = held
  }
}
