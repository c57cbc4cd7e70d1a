import { listOn, type PriceList, priceListOf } from '#domain/campaign/price.ts'
import type { ReadModels } from '#projections/port.ts'
import { allRows, SYSTEM_SCOPE } from '#projections/scope.ts'
import { levelChain } from '../../conversation/effect/turn-settings.ts'

/** Price lists that hold for a level: those of the nearest level, itself or above, that has one which has begun. */
export const priceListsOf = async (
  read: Pick<ReadModels, 'list' | 'levels'>,
  level: string | null,
  now: number,
): Promise<readonly PriceList[]> => {
  const rows = await allRows(read, SYSTEM_SCOPE, 'pricelist')
  if (rows.length === 0 || level === null) return []
  const chain = await levelChain(read as ReadModels, level)
  const today = dayOf(now)
  for (const id of chain.toReversed()) {
    const own = rows.filter(({ hierarchylevel }) => hierarchylevel === id)
    const lists = own
      .toSorted((one, other) => (one.created_at < other.created_at ? -1 : 1))
      .map(row => priceListOf(row.id, row))
    if (listOn(lists, today) !== undefined) return lists
  }
  return []
}

/** YYYY-MM-DD, UTC. */
export const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10)
