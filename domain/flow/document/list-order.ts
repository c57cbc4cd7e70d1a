import { generateKeyBetween, generateNKeysBetween } from 'fractional-indexing'

const isOrder = (order: string): boolean => {
  try {
    generateKeyBetween(order, null)
    return true
  } catch {
    return false
  }
}

/** Fractional keys for `count` new places between two neighbours; a damaged or equal neighbour counts as none. */
export const ordersBetween = (before: string | null, after: string | null, count: number): readonly string[] => {
  const low = before !== null && isOrder(before) ? before : null
  const high = after !== null && isOrder(after) && (low === null || after > low) ? after : null
  return generateNKeysBetween(low, high, count)
}

/** Positions of a longest rising sequence of keys; excludes undefined and damaged keys. */
const risingPlaces = (orders: readonly (string | undefined)[]): ReadonlySet<number> => {
  const best: { readonly length: number; readonly from: number }[] = []
  let last = -1
  for (const [place, order] of orders.entries()) {
    let length = 0
    let from = -1
    if (order !== undefined && isOrder(order)) {
      length = 1
      for (let before = 0; before < place; before += 1) {
        const held = best[before]
        const lower = orders[before]
        if (held !== undefined && held.length >= length && lower !== undefined && lower < order) {
          length = held.length + 1
          from = before
        }
      }
    }
    best.push({ length, from })
    if (length > (best[last]?.length ?? 0)) last = place
  }
  const places = new Set<number>()
  for (let place = last; place >= 0; place = best[place]?.from ?? -1) places.add(place)
  return places
}

/**
 * Keys that put items in this sequence, given the keys they have (undefined for new ones): as many as possible are
 * kept, so that a restored list writes only what moved.
 */
export const ordersFor = (orders: readonly (string | undefined)[]): readonly string[] => {
  const kept = risingPlaces(orders)
  const result: string[] = []
  let missing = 0
  let low: string | null = null
  const fill = (high: string | null) => {
    result.push(...ordersBetween(low, high, missing))
    missing = 0
  }
  for (const [place, order] of orders.entries()) {
    if (order === undefined || !kept.has(place)) {
      missing += 1
      continue
    }
    fill(order)
    result.push(order)
    low = order
  }
  fill(null)
  return result
}
