/** Slots of an open-addressing table with at most three of four in use; a power of two. */
const slotCount = (size: number): number => {
  let slots = 16
  while (slots * 3 < size * 4) slots *= 2
  return slots
}

/** Row + 1 per slot, 0 where it is free. Keys are hashes already. */
export const slotsOf = (keys: Int32Array): Int32Array => {
  const slots = new Int32Array(slotCount(keys.length))
  const mask = slots.length - 1
  for (let row = 0; row < keys.length; row++) {
    let slot = (keys[row] as number) & mask
    while (slots[slot] !== 0) slot = (slot + 1) & mask
    slots[slot] = row + 1
  }
  return slots
}

/** The row of a key, -1 for none. */
export const rowOf = (slots: Int32Array, keys: Int32Array, key: number): number => {
  const mask = slots.length - 1
  let slot = key & mask
  for (;;) {
    const row = (slots[slot] as number) - 1
    if (row < 0 || keys[row] === key) return row
    slot = (slot + 1) & mask
  }
}

/** Numbers distinct keys in the order in which they come. */
interface KeyNumbering {
  numberOf(key: number): number
  keys(): Int32Array
}

export const createKeyNumbering = (): KeyNumbering => {
  let keys = new Int32Array(1024)
  let slots = new Int32Array(slotCount(1024))
  let count = 0
  const grow = () => {
    const larger = new Int32Array(keys.length * 2)
    larger.set(keys)
    keys = larger
    slots = new Int32Array(slotCount(keys.length))
    const mask = slots.length - 1
    for (let row = 0; row < count; row++) {
      let slot = (keys[row] as number) & mask
      while (slots[slot] !== 0) slot = (slot + 1) & mask
      slots[slot] = row + 1
    }
  }
  return {
    keys: () => keys.slice(0, count),
    numberOf: key => {
      if (count === keys.length) grow()
      const mask = slots.length - 1
      let slot = key & mask
      for (;;) {
        const row = (slots[slot] as number) - 1
        if (row >= 0 && keys[row] === key) return row
        if (row < 0) break
        slot = (slot + 1) & mask
      }
      keys[count] = key
      slots[slot] = ++count
      return count - 1
    },
  }
}

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
