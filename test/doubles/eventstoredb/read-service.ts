import { constants, type ServerHttp2Stream } from 'node:http2'
import { setTimeout as pause } from 'node:timers/promises'
import type { ServerWritableStream } from '@grpc/grpc-js'
import type { ReadReq, ReadResp } from '@kurrent/kurrentdb-client/generated/kurrentdb/protocols/v1/streams_pb.js'
import { positionOf, sequenceOf } from './batch-answer.ts'
import type { DoubleParts } from './double-parts.ts'
import { consumerTooSlow, invalidPosition, notLeader, notReady, streamDeleted, unavailable } from './grpc-failure.ts'
import { shared, streams } from './protocol.ts'
import type { Recorded } from './server-log.ts'

type Call = ServerWritableStream<ReadReq, ReadResp>

const TICKS_PER_MILLISECOND = 10_000n
const BACKWARDS = 1
/** Newest events that an `older` head leaves out. */
const OLDER = 3

/** Reads of one stream and of all, and subscriptions to all: one call in the protocol. */
export const readService = (parts: DoubleParts) => ({
  read: async (call: Call) => {
    call.on('error', () => undefined)
    try {
      await answer(parts, call)
    } catch {
      // The double was stopped meanwhile.
      call.emit('error', unavailable())
    }
  },
})

async function answer(parts: DoubleParts, call: Call): Promise<void> {
  const options = call.request.getOptions()
  if (options === undefined) return void call.end()
  if (!parts.isLeader() && call.metadata.get('requires-leader').includes('true'))
    return void call.emit('error', notLeader('127.0.0.1', parts.leaderPort()))
  if (options.hasSubscription()) return subscribe(parts, call, options)
  const fault = parts.faults.nextRead()
  await parts.faults.gate()
  if (fault === 'notReady') return void call.emit('error', notReady())
  const cutAfter = fault === 'cut' ? 1 : Number.POSITIVE_INFINITY
  const from = options.hasAll() ? await recordAt(parts, options.getAll()) : undefined
  if (from === 'none') return void call.emit('error', invalidPosition())
  const events = options.hasAll() ? allOf(parts, options, from) : await streamOf(parts, call, options)
  let sent = 0
  for await (const event of events ?? []) {
    if (parts.faults.isFrozen) await parts.faults.thawed()
    if (call.cancelled) return
    await write(call, new streams.ReadResp().setEvent(readEvent(event)))
    sent += 1
    if (sent >= cutAfter) return void call.emit('error', unavailable())
    if (fault === 'reset') return reset(call)
    if (fault === 'freeze' && sent === 1) parts.faults.freeze(parts.faults.freezeMs)
  }
  if (parts.faults.isFrozen) await parts.faults.thawed()
  if (events !== undefined) call.end()
}

/** Undefined when the call was answered with a refusal. */
async function streamOf({ log }: DoubleParts, call: Call, options: ReadReq.Options) {
  const asked = options.getStream()
  const name = Buffer.from(asked?.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString()
  const backwards = options.getReadDirection() === BACKWARDS
  const from = asked?.hasRevision() ? Number(asked.getRevision()) : undefined
  const events = await log().read(name, { from, backwards, count: Number(options.getCount()) })
  if (events === 'deleted') {
    call.emit('error', streamDeleted(name))
    return undefined
  }
  if (events !== undefined) return events
  const identifier = new shared.StreamIdentifier().setStreamName(Buffer.from(name))
  await write(
    call,
    new streams.ReadResp().setStreamNotFound(new streams.ReadResp.StreamNotFound().setStreamIdentifier(identifier)),
  )
  call.end()
  return undefined
}

/** Number in the log of the record at the requested position; `none` without a record. */
async function recordAt({ log }: DoubleParts, asked: ReadReq.Options.AllOptions | undefined) {
  const position = asked?.hasPosition() ? asked.getPosition() : undefined
  if (position === undefined) return undefined
  const sequence = sequenceOf(position.getCommitPosition())
  return sequence === undefined || sequence > (await log().head()) ? 'none' : sequence
}

/** Reads include the position they begin at, forwards. */
async function* allOf(
  { log, faults }: DoubleParts,
  options: ReadReq.Options,
  at: number | undefined,
): AsyncGenerator<Recorded> {
  const isWanted = filterOf(options)
  let left = Number(options.getCount())
  const backwards = options.getReadDirection() === BACKWARDS
  if (options.hasFilter() && !backwards && faults.search > 0) await pause(faults.search)
  const fault = backwards ? faults.nextHead() : undefined
  if (fault === 'empty') return
  let leftOut = fault === 'older' ? OLDER : 0
  for await (const event of backwards ? log().readAllBackwards(at) : log().readAll((at ?? 1) - 1)) {
    if (left < 1) return
    leftOut -= 1
    if (leftOut >= 0) continue
    if (!isWanted(event)) continue
    left -= 1
    yield event
    if (left < 1) return
  }
}

/** Subscriptions do not include the position they begin after. */
async function subscribe(parts: DoubleParts, call: Call, options: ReadReq.Options) {
  const { log, faults } = parts
  const asked = options.getAll()
  const after = asked?.hasEnd() ? 'end' : ((await recordAt(parts, asked)) ?? 0)
  const isWanted = filterOf(options)
  await faults.gate()
  if (after === 'none') return void call.emit('error', invalidPosition())
  const confirmation = new streams.ReadResp.SubscriptionConfirmation().setSubscriptionId(String(after))
  await write(call, new streams.ReadResp().setConfirmation(confirmation))
  let last = typeof after === 'number' ? after : await log().head()
  // Real servers skip no event: a silent subscription stays silent.
  let isSilent = false
  const stop = log().subscribe(after, {
    event: async event => {
      await faults.gate()
      isSilent ||= faults.areSubscriptionsSilent
      if (call.cancelled || isSilent) return
      last = event.sequence
      if (!isWanted(event)) return
      await write(call, new streams.ReadResp().setEvent(readEvent(event)))
    },
    caughtUp: () => void write(call, new streams.ReadResp().setCaughtUp(new streams.ReadResp.CaughtUp())),
  })
  const end = () => {
    stop()
    remove()
  }
  const remove = faults.subscribed(() => {
    end()
    if (last > 0) call.write(checkpointAt(last))
    call.emit('error', consumerTooSlow())
  })
  call.on('cancelled', end)
  call.on('close', end)
}

function checkpointAt(sequence: number): ReadResp {
  const [commit, prepare] = positionOf(sequence)
  const checkpoint = new streams.ReadResp.Checkpoint().setCommitPosition(commit).setPreparePosition(prepare)
  return new streams.ReadResp().setCheckpoint(checkpoint)
}

function filterOf(options: ReadReq.Options): (event: Recorded) => boolean {
  const filter = options.getFilter()
  const expression = filter?.getStreamIdentifier() ?? filter?.getEventType()
  if (filter === undefined || expression === undefined) return () => true
  const named = (event: Recorded) => (filter.hasStreamIdentifier() ? event.stream : event.type)
  const prefixes = expression.getPrefixList()
  if (prefixes.length > 0) return event => prefixes.some(prefix => named(event).startsWith(prefix))
  const pattern = new RegExp(expression.getRegex())
  return event => pattern.test(named(event))
}

function readEvent(event: Recorded): ReadResp.ReadEvent {
  const [commit, prepare] = positionOf(event.sequence)
  const recorded = new streams.ReadResp.ReadEvent.RecordedEvent()
    .setId(new shared.UUID().setString(event.id))
    .setStreamIdentifier(new shared.StreamIdentifier().setStreamName(Buffer.from(event.stream)))
    .setStreamRevision(String(event.revision))
    .setCommitPosition(commit)
    .setPreparePosition(prepare)
    .setData(event.data)
    .setCustomMetadata(event.metadata)
  const described = recorded.getMetadataMap()
  described.set('type', event.type)
  described.set('content-type', event.contentType)
  described.set('created', String(BigInt(Date.parse(event.time)) * TICKS_PER_MILLISECOND))
  return new streams.ReadResp.ReadEvent().setEvent(recorded).setCommitPosition(commit)
}

/** Ends a call without a status, as a proxy or a server that goes down does. gRPC has no call for it. */
function reset(call: Call): void {
  const { stream } = Object(Object(call).call) as { stream: ServerHttp2Stream }
  stream.close(constants.NGHTTP2_CANCEL)
}

async function write(call: Call, response: ReadResp): Promise<void> {
  if (call.cancelled || call.destroyed || call.write(response)) return
  const { promise, resolve } = Promise.withResolvers<void>()
  for (const name of ['drain', 'cancelled', 'close']) call.once(name, resolve)
  await promise
  for (const name of ['drain', 'cancelled', 'close']) call.off(name, resolve)
}
