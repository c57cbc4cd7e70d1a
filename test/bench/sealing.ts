import { createHmac } from 'node:crypto'
import { openSealer } from '#commands/integrity/sealer.ts'
import { signerOf } from '#commands/integrity/signing.ts'
import type { EventStore } from '#commands/store/port.ts'
import { type Figure, median, ROUNDS, rounded } from './figure.ts'
import { type Throughput, throughStore, WRITERS } from './through-store.ts'

/** Of each writer: enough for several seals. */
const EACH = 400
/** Seal settings of a gateway. */
const EVERY = { events: 5000, milliseconds: 600_000 }
const signer = signerOf({ index: { hmac: text => createHmac('sha256', 'bench').update(text).digest('hex') } })
const FOLLOWED = { follows: true } as const
const SEALED = { ...FOLLOWED, openSealer: (store: EventStore) => openSealer({ store, signer, every: EVERY }) }

/** Cost of sealing for P1: appends with and without it, in alternating order; read models follow in both. */
export const sealing = async (): Promise<readonly Figure[]> => {
  const rates: number[] = []
  const costs: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const isSealedFirst = round % 2 === 0
    const one = await throughStore(EACH, isSealedFirst ? SEALED : FOLLOWED)
    const other = await throughStore(EACH, isSealedFirst ? FOLLOWED : SEALED)
    const [sealed, bare]: [Throughput, Throughput] = isSealedFirst ? [one, other] : [other, one]
    rates.push(sealed.perSecond / bare.perSecond)
    costs.push(sealed.cpu / bare.cpu)
  }
  const rate = median(rates)
  const cost = median(costs)
  return [
    {
      id: 'P1',
      what: `durable appends, ${WRITERS} writers and a reader that follows, sealed as by default, of the same without seals`,
      measured: `${rounded(rate, 2)}, at ${rounded(cost, 2)}× the processor time`,
      target: '–',
      met: null,
      detail: { rate: rounded(rate, 3), cost: rounded(cost, 3) },
    },
  ]
}
