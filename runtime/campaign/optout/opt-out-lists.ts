import { DEFAULT_OPT_OUT, type OptOutSetting, optOutSetting } from '#domain/campaign/opt-out.ts'
import { allRows } from '#projections/all-rows.ts'
import type { ReadModels } from '#projections/port.ts'
import { SYSTEM_SCOPE } from '#projections/scope.ts'
import { levelChain } from '../../conversation/effect/global-variables.ts'
import { EVERYWHERE } from '../audience/audience.ts'

/** The list that takes opt-outs at a level, and the words that are heard there. */
export interface OptOutList {
  readonly list: string
  readonly setting: OptOutSetting
}

/** Opt-out lists of levels. */
export interface OptOutLists {
  /** Those of the nearest level above, or of the level itself, that has a setting. */
  at(level: string | null): Promise<OptOutList>
  /** Lists that hold for a level: its own and those of all levels above. */
  over(level: string | null): Promise<readonly string[]>
  /** Lists that hold for a campaign that is sent from an account. */
  ofCampaign(campaign: string, metaaccount: string): Promise<readonly string[]>
}

export const openOptOutLists = (read: Pick<ReadModels, 'list' | 'detail' | 'levels'>): OptOutLists => {
  const chainOf = (level: string | null) => (level === null ? [] : levelChain(read as ReadModels, level))
  const over: OptOutLists['over'] = async level => [EVERYWHERE, ...(await chainOf(level))]
  return {
    over,
    async at(level) {
      const chain = await chainOf(level)
      const rows = await allRows(read, SYSTEM_SCOPE, 'optoutsetting')
      const nearest = chain.toReversed().find(id => rows.some(({ hierarchylevel }) => hierarchylevel === id))
      const settings = rows
        .filter(({ hierarchylevel }) => hierarchylevel === nearest)
        .toSorted((one, other) => (one.created_at < other.created_at ? -1 : 1))
        .map(row => optOutSetting(row))
      const [oldest] = settings
      if (nearest === undefined || oldest === undefined) return { list: EVERYWHERE, setting: DEFAULT_OPT_OUT }
      // A level with several settings hears the words of all of them.
      const setting = {
        ...oldest,
        words: settings.flatMap(({ words }) => words),
        buttons: settings.flatMap(({ buttons }) => buttons),
      }
      return { list: nearest === chain[0] ? EVERYWHERE : nearest, setting }
    },
    async ofCampaign(campaign, metaaccount) {
      const row = await read.detail(SYSTEM_SCOPE, 'campaign', campaign)
      // Opt-outs from before lists belonged to levels are in the list of the account.
      return [...(await over(row?.hierarchylevel ?? null)), metaaccount].filter(list => list !== '')
    },
  }
}
