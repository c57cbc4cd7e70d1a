import { setTimeout as pause } from 'node:timers/promises'
import type {
  handleClientStreamingCall,
  handleUnaryCall,
  ServerDuplexStream,
  ServiceError,
  sendUnaryData,
} from '@grpc/grpc-js'
import type {
  AppendReq,
  AppendResp,
  BatchAppendReq,
  BatchAppendResp,
  DeleteReq,
  DeleteResp,
  TombstoneReq,
  TombstoneResp,
} from '@kurrent/kurrentdb-client/generated/kurrentdb/protocols/v1/streams_pb.js'
import { batchFailure, batchSuccess, positionOf } from './batch-answer.ts'
import type { DoubleParts } from './double-parts.ts'
import { notLeader, notReady, streamDeleted, tooLarge, unavailable, wrongExpectedVersion } from './grpc-failure.ts'
import { shared, streams } from './protocol.ts'
import { type Expected, MAX_APPENDED, type Outcome, type WireEvent } from './server-log.ts'

/** One append, collected from its messages. */
interface Proposal {
  stream: string
  expected: Expected
  readonly events: WireEvent[]
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

type Answered = Outcome | { readonly kind: 'failed'; readonly error: ServiceError } | { readonly kind: 'never' }
type Options = AppendReq.Options | DeleteReq.Options | TombstoneReq.Options

/** Writes, unless a fault comes first; a failure ends the call, and with a batch every append on it. */
const written = async (parts: DoubleParts, work: () => Promise<Outcome>): Promise<Answered> => {
  try {
    return await writtenOrNot(parts, work)
  } catch {
    // The double was stopped meanwhile: the outcome is unknown.
    return { kind: 'failed', error: unavailable() }
  }
}

const writtenOrNot = async (parts: DoubleParts, work: () => Promise<Outcome>): Promise<Answered> => {
  const { faults, leaderPort, log } = parts
  const fail = (error: ServiceError): Answered => ({ kind: 'failed', error })
  const refused = () => fail(notLeader('127.0.0.1', leaderPort()))
  if (!parts.isLeader()) return refused()
  const fault = faults.nextAppend()
  await faults.gate()
  // The leader changed while the call waited.
  if (!parts.isLeader()) return refused()
  switch (fault) {
    case 'cut':
      return fail(unavailable())
    case 'notReady':
      return fail(notReady())
    case 'notLeader':
      return refused()
    case 'tooLarge':
      return { kind: 'tooLarge' }
    case 'lostAnswer':
      await work()
      return fail(unavailable())
    case 'noAnswer':
      await work()
      return { kind: 'never' }
    case 'lateAnswer': {
      const outcome = await work()
      await pause(faults.lateMs)
      return outcome
    }
    case 'lateWrite': {
      const before = log()
      await pause(faults.lateMs)
      // A server that restarted meanwhile has lost the call.
      return log() === before ? work() : fail(unavailable())
    }
    case undefined: {
      const outcome = await work()
      await faults.gate()
      return outcome
    }
    default:
      return fault satisfies never
  }
}

const appended = ({ log, faults }: DoubleParts, { stream, expected, events }: Proposal): Promise<Outcome> =>
  log().append(stream, expected, events, faults.acceptsRepeatsAnywhere)

export const appendService = (parts: DoubleParts) => {
  const append: handleClientStreamingCall<AppendReq, AppendResp> = (call, answer) => {
    const proposal: Proposal = { stream: '', expected: 'any', events: [] }
    call.on('data', (request: AppendReq) => {
      const options = request.getOptions()
      if (options !== undefined) Object.assign(proposal, targetOf(options))
      const message = request.getProposedMessage()
      if (message !== undefined) proposal.events.push(wireEvent(message))
    })
    call.on('end', async () => {
      const { stream, expected } = proposal
      const outcome = await written(parts, () => appended(parts, proposal))
      if (outcome.kind === 'failed') return answer(outcome.error)
      if (outcome.kind === 'deleted') return answer(streamDeleted(stream))
      if (outcome.kind === 'tooLarge') return answer(tooLarge(MAX_APPENDED))
      if (outcome.kind === 'never') return
      answer(null, unaryAnswer(outcome, expected))
    })
  }

  const batchAppend = (call: ServerDuplexStream<BatchAppendReq, BatchAppendResp>) => {
    const open = new Map<string, Proposal>()
    call.on('data', async (request: BatchAppendReq) => {
      const id = request.getCorrelationId()
      const key = id?.getString() ?? ''
      const proposal = open.get(key) ?? { stream: '', expected: 'any', events: [] }
      open.set(key, proposal)
      const options = request.getOptions()
      if (options !== undefined) Object.assign(proposal, batchTargetOf(options))
      for (const message of request.getProposedMessagesList()) proposal.events.push(wireEvent(message))
      if (!request.getIsFinal()) return
      open.delete(key)
      const { stream, expected } = proposal
      const outcome = await written(parts, () => appended(parts, proposal))
      if (outcome.kind === 'never' || call.cancelled) return
      if (outcome.kind === 'failed') {
        call.emit('error', outcome.error)
        return
      }
      const response = new streams.BatchAppendResp().setCorrelationId(id)
      response.setStreamIdentifier(new shared.StreamIdentifier().setStreamName(Buffer.from(stream)))
      if (outcome.kind === 'written') response.setSuccess(batchSuccess(outcome))
      else response.setError(batchFailure(outcome, expected))
      call.write(response)
    })
    call.on('error', () => undefined)
    call.on('end', () => call.end())
  }

  const remove =
    <Request extends DeleteReq | TombstoneReq, Response>(
      work: (stream: string, expected: Expected) => Promise<Outcome>,
      respond: (sequence: number) => Response,
    ): handleUnaryCall<Request, Response> =>
    async (call, answer: sendUnaryData<Response>) => {
      const options = call.request.getOptions()
      if (options === undefined) return
      const { stream, expected } = targetOf(options)
      const outcome = await written(parts, () => work(stream, expected))
      if (outcome.kind === 'failed') return answer(outcome.error)
      if (outcome.kind === 'deleted') return answer(streamDeleted(stream))
      if (outcome.kind === 'wrong') return answer(wrongExpectedVersion(stream, numberOf(expected), outcome.current))
      if (outcome.kind === 'written') answer(null, respond(outcome.sequence))
    }

  return {
    append,
    batchAppend,
    delete: remove<DeleteReq, DeleteResp>(
      (stream, expected) => parts.log().delete(stream, expected),
      sequence => {
        const [commit, prepare] = positionOf(sequence)
        const position = new streams.DeleteResp.Position().setCommitPosition(commit).setPreparePosition(prepare)
        return new streams.DeleteResp().setPosition(position)
      },
    ),
    tombstone: remove<TombstoneReq, TombstoneResp>(
      (stream, expected) => parts.log().tombstone(stream, expected),
      sequence => {
        const [commit, prepare] = positionOf(sequence)
        const position = new streams.TombstoneResp.Position().setCommitPosition(commit).setPreparePosition(prepare)
        return new streams.TombstoneResp().setPosition(position)
      },
    ),
  }
}

function wireEvent(message: AppendReq.ProposedMessage | BatchAppendReq.ProposedMessage): WireEvent {
  const described = message.getMetadataMap()
  const id = message.getId()?.getString() ?? ''
  if (!UUID.test(id)) throw new Error(`${id} is not a UUID, which the real server would not take`)
  return {
    id,
    type: described.get('type') ?? '',
    contentType: described.get('content-type') ?? '',
    data: message.getData_asU8(),
    metadata: message.getCustomMetadata_asU8(),
  }
}

function targetOf(options: Options): { stream: string; expected: Expected } {
  const stream = nameOf(options.getStreamIdentifier()?.getStreamName_asU8())
  if (options.hasNoStream()) return { stream, expected: 'none' }
  if (options.hasStreamExists()) return { stream, expected: 'exists' }
  return { stream, expected: options.hasRevision() ? Number(options.getRevision()) : 'any' }
}

function batchTargetOf(options: BatchAppendReq.Options): { stream: string; expected: Expected } {
  const stream = nameOf(options.getStreamIdentifier()?.getStreamName_asU8())
  if (options.hasNoStream()) return { stream, expected: 'none' }
  if (options.hasStreamExists()) return { stream, expected: 'exists' }
  return { stream, expected: options.hasStreamPosition() ? Number(options.getStreamPosition()) : 'any' }
}

function unaryAnswer(outcome: Extract<Outcome, { kind: 'written' | 'wrong' }>, expected: Expected): AppendResp {
  const response = new streams.AppendResp()
  if (outcome.kind === 'written') {
    const [commit, prepare] = positionOf(outcome.sequence)
    const position = new streams.AppendResp.Position().setCommitPosition(commit).setPreparePosition(prepare)
    const success = new streams.AppendResp.Success().setPosition(position)
    return response.setSuccess(success.setCurrentRevision(String(outcome.revision)))
  }
  const wrong = new streams.AppendResp.WrongExpectedVersion()
  if (outcome.current < 0) wrong.setCurrentNoStream(new shared.Empty())
  else wrong.setCurrentRevision(String(outcome.current))
  if (typeof expected === 'number') wrong.setExpectedRevision(String(expected))
  else wrong.setExpectedNoStream(new shared.Empty())
  return response.setWrongExpectedVersion(wrong)
}

const nameOf = (bytes: Uint8Array | undefined): string => Buffer.from(bytes ?? []).toString()
const numberOf = (expected: Expected): number => (typeof expected === 'number' ? expected : -1)
