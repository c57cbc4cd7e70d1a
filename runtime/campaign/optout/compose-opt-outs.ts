import type { RuntimeParts } from '../../parts.ts'
import type { Audiences } from '../audience/compose-audience.ts'
import { shortDigest } from '../audience/person-digests.ts'
import type { Campaigns } from '../run/open-campaigns.ts'
import { type OptOutList, openOptOutLists } from './opt-out-lists.ts'
import { OptOuts } from './opt-outs.ts'

const MAX_KEPT = 1000

interface Others {
  readonly audiences: Pick<Audiences, 'begun'>
  /** Undefined while nothing was ever sent. */
  readonly campaigns: () => Promise<Pick<Campaigns, 'index'> | undefined>
}

interface ComposedOptOuts {
  readonly optOuts: OptOuts
  close(): void
}

/** Opt-outs of a gateway. Settings are read once until the read models change: each message of a person asks for them. */
export const composeOptOuts = (
  { read, keys }: Pick<RuntimeParts, 'read' | 'keys'>,
  others: Others,
): ComposedOptOuts => {
  const lists = openOptOutLists(read)
  const kept = new Map<string | null, Promise<OptOutList>>()
  const close = read.onApplied(({ touched }) => {
    if (touched.length > 0) kept.clear()
  })
  const at = (level: string | null): Promise<OptOutList> => {
    const known = kept.get(level)
    if (known !== undefined) return known
    const found = lists.at(level)
    if (kept.size >= MAX_KEPT) kept.clear()
    kept.set(level, found)
    found.catch(() => kept.delete(level))
    return found
  }
  const optOuts = new OptOuts({
    lists: { ...lists, at },
    audience: () => others.audiences.begun(),
    runs: async () => (await others.campaigns())?.index.queries,
    hmac: text => shortDigest(value => keys.index.hmac(value), text),
  })
  return { optOuts, close }
}
