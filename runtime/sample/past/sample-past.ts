import { AGENTS } from '../content/people.ts'
import type { IdOf, When } from '../plan.ts'
import { storyTime } from '../story-time.ts'
import type { PastBot } from './beginnings.ts'
import { type MakePast, makePast } from './make-past.ts'

interface Talked {
  readonly key: string
  /** Conversations of a usual day. */
  readonly daily: number
  /** When it could first be talked to. */
  readonly since: When
  /** Its people may talk to an agent. */
  readonly desk?: PastBot['deskDay']
}

const BOTS: readonly Talked[] = [
  { key: 'varejo', daily: 6, since: [2, '15:30'], desk: { people: 34, wish: 'Falar' } },
  { key: 'saude', daily: 5, since: [3, '10:35'] },
  { key: 'energia', daily: 3, since: [3, '15:15'] },
]

interface SamplePast extends Omit<MakePast, 'seed' | 'bots' | 'agents' | 'until'> {
  readonly idOf: IdOf
  /** The moment of the first start. */
  readonly now: Date
}

/**
 * Makes the conversations of the sample's two months, those of each bot beside the others: most of a turn waits for
 * other threads and processes. Returns false when interrupted.
 */
export const makeSamplePast = async ({ idOf, now, made, ...given }: SamplePast): Promise<boolean> => {
  const shares = new Map<string, number>()
  const pasts = BOTS.map(({ key, daily, since, desk }) =>
    makePast({
      ...given,
      seed: idOf('past', 'sample'),
      until: now.getTime(),
      agents: desk === undefined ? [] : AGENTS.map(agent => idOf('user', agent)),
      bots: [
        {
          bot: idOf('bot', key),
          channel: idOf('channel', `${key}/site`),
          daily,
          since: storyTime(now, ...since).getTime(),
          understands: key === 'saude',
          ...(desk === undefined ? {} : { deskDay: desk }),
        },
      ],
      made(share) {
        shares.set(key, share)
        made([...shares.values()].reduce((sum, one) => sum + one, 0) / BOTS.length)
      },
    }),
  )
  return !(await Promise.all(pasts)).includes(false)
}
