import { createHmac } from 'node:crypto'
import { openSealer } from '#commands/integrity/sealer.ts'
import { signerOf } from '#commands/integrity/signing.ts'
import { type Draft, NO_STREAM, seal, type Tail } from '#commands/pipeline/append.ts'
import type { EventStore } from '#commands/store/port.ts'
import { newEvent } from '#test/contract/store/event.ts'

const STREAMS = ['bot-a', 'dialog-b', 'flow-c', 'user-d']
const signer = signerOf({ index: { hmac: text => createHmac('sha256', 'key').update(text).digest('hex') } })

/** Writes a chained log of all that a copy must keep: streams in turns, removed and limited ones, a large event, seals. */
export const writeLogToCopy = async (store: EventStore, rounds = 6): Promise<void> => {
  const tails = new Map<string, Tail>()
  const add = async (stream: string, ...drafts: Draft[]) => {
    const tail = tails.get(stream) ?? NO_STREAM
    const events = seal(stream, tail, drafts)
    const { revision } = await store.append(stream, tail.revision, events)
    tails.set(stream, { revision, hash: events.at(-1)?.hash ?? '' })
  }
  const request = (name: string, count: number) =>
    add(`request-${name}`, ...Array.from({ length: count }, (_, n) => newEvent('RequestAnswered', { n })))

  await request('swept', 2)
  await request('reused', 2)
  await request('limited', 5)
  await request('gone', 3)
  for (let round = 0; round < rounds; round++)
    for (const stream of STREAMS)
      await add(stream, newEvent('BotChanged', { round, text: 'é "\\ \u0000 \ud83d\ude00' }))
  const text = 'x'.repeat(rounds * 100_000)
  await add('flow-c', newEvent('FlowEdited', { text }), newEvent('FlowEdited', { last: true }))
  await store.delete('request-swept', 2)
  await store.delete('request-reused', 2)
  await store.setMetadata('request-limited', { maxCount: 2 })
  await store.setMetadata('bot-a', { maxCount: 1000 })
  await store.tombstone('request-gone', 3)
  await request('reused', 1)
  const sealer = openSealer({ store, signer, every: { events: 2 * rounds, milliseconds: 60_000 } })
  while ((await store.revision('seal')) < 2) await new Promise(resolve => setTimeout(resolve, 5))
  await sealer.close()
  await add('bot-a', newEvent('BotStarted', {}))
}

const NAMES = [...STREAMS, 'seal', ...['swept', 'reused', 'limited', 'gone'].map(name => `request-${name}`)]

/** All that the port shows of a log, but for the positions: equal text means equal stores. */
export const shownBy = async (store: EventStore): Promise<string> => {
  const lines: unknown[] = []
  const first = new Map<string, number>()
  for (const stream of NAMES) {
    for (const direction of ['backwards', 'forwards'] as const)
      for await (const { position: _, ...event } of store.read(stream, { direction })) lines.push(event)
    for await (const { revision } of store.read(stream, { limit: 1 })) first.set(stream, revision)
    lines.push({ stream, revision: await store.revision(stream), metadata: await store.metadata(stream) })
  }
  // A server's log contains removed events until it is scavenged.
  for await (const { position: _, ...event } of store.readAll())
    if (event.revision >= (first.get(event.stream) ?? Number.POSITIVE_INFINITY)) lines.push(event)
  return lines.map(line => JSON.stringify(line)).join('\n')
}
