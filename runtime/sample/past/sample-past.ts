import { AGENTS } from '../content/people.ts'
import type { IdOf, When } from '../plan.ts'
import { storyTime } from '../story-time.ts'
import { type MakePast, makePast } from './make-past.ts'

/** Bots of the sample: conversations of a usual day, and when they could first be talked to. */
const BOTS: readonly { readonly key: string; readonly daily: number; readonly since: When }[] = [
  { key: 'varejo', daily: 6, since: [2, '15:30'] },
  { key: 'saude', daily: 5, since: [3, '10:35'] },
  { key: 'energia', daily: 3, since: [3, '15:15'] },
]

interface SamplePast extends Omit<MakePast, 'seed' | 'bots' | 'agents' | 'until'> {
  readonly idOf: IdOf
  /** The moment of the first start. */
  readonly now: Date
}

/** Makes the conversations of the sample's two months. Returns false when interrupted. */
export const makeSamplePast = ({ idOf, now, ...given }: SamplePast): Promise<boolean> =>
  makePast({
    ...given,
    seed: idOf('past', 'sample'),
    until: now.getTime(),
    agents: AGENTS.map(key => idOf('user', key)),
    bots: BOTS.map(({ key, daily, since }) => ({
      bot: idOf('bot', key),
      channel: idOf('channel', `${key}/site`),
      daily,
      since: storyTime(now, ...since).getTime(),
      understands: key === 'saude',
      ...(key === 'varejo' ? { deskDay: { people: 34, wish: 'Falar' } } : {}),
    })),
  })
