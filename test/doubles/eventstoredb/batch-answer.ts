import type { Status } from '@kurrent/kurrentdb-client/generated/kurrentdb/protocols/v1/status_pb.js'
import type { BatchAppendResp } from '@kurrent/kurrentdb-client/generated/kurrentdb/protocols/v1/streams_pb.js'
import { protobuf, rpcStatus, shared, streams } from './protocol.ts'
import { type Expected, MAX_APPENDED, type Outcome } from './server-log.ts'

/** Bytes between the double's positions: a real log's are not consecutive numbers either. */
const STRIDE = 128

/** Commit and prepare, as a log position of the server. */
export const positionOf = (sequence: number): readonly [commit: string, prepare: string] => [
  String(sequence * STRIDE),
  String(sequence * STRIDE),
]

/** Undefined where no record can begin. */
export const sequenceOf = (commit: string): number | undefined => {
  const sequence = Number(commit) / STRIDE
  return Number.isInteger(sequence) && sequence > 0 ? sequence : undefined
}

export const batchSuccess = ({
  revision,
  sequence,
}: Extract<Outcome, { kind: 'written' }>): BatchAppendResp.Success => {
  const [commit, prepare] = positionOf(sequence)
  const position = new shared.AllStreamPosition().setCommitPosition(commit).setPreparePosition(prepare)
  return new streams.BatchAppendResp.Success().setCurrentRevision(String(revision)).setPosition(position)
}

export const batchFailure = (outcome: Exclude<Outcome, { kind: 'written' }>, expected: Expected): Status => {
  switch (outcome.kind) {
    case 'wrong': {
      const wrong = new shared.WrongExpectedVersion()
      if (outcome.current < 0) wrong.setCurrentNoStream(new protobuf.Empty())
      else wrong.setCurrentStreamRevision(String(outcome.current))
      if (typeof expected === 'number') wrong.setExpectedStreamPosition(String(expected))
      else if (expected === 'none') wrong.setExpectedNoStream(new protobuf.Empty())
      else wrong.setExpectedStreamExists(new protobuf.Empty())
      return described('WrongExpectedVersion', wrong.serializeBinary())
    }
    case 'deleted':
      return described('StreamDeleted', new shared.StreamDeleted().serializeBinary())
    case 'tooLarge': {
      const limit = new shared.MaximumAppendSizeExceeded().setMaxappendsize(MAX_APPENDED)
      return described('MaximumAppendSizeExceeded', limit.serializeBinary())
    }
    default:
      return outcome satisfies never
  }
}

function described(type: string, bytes: Uint8Array): Status {
  const details = new protobuf.Any()
  details.pack(bytes, `event_store.client.${type}`)
  return new rpcStatus.Status().setMessage(type).setDetails(details)
}
