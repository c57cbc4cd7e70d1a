import { queryOptions } from '@tanstack/react-query'
import type { FlowModel } from '#domain/flow/document/model.ts'
import { importFlow } from '#domain/flow/document/patch-flow.ts'
import { readFlow } from '#domain/flow/document/read-flow.ts'
import { FLOW_FORMAT, FLOW_VERSION, type FlowFile } from '#schemas/flow/file.ts'
import { http } from '#web/api/http.ts'
import type { FlowAddress } from '../session/room/flow-address.ts'

/** A flow as it stood; a handler's with its code. */
export interface PastFlow {
  readonly revision: number
  readonly file: FlowFile & { readonly js?: string }
  readonly model: FlowModel
}

const NOTHING: FlowFile = { format: FLOW_FORMAT, version: FLOW_VERSION, operators: {}, links: {} }
/** Cache time of a visited moment. Milliseconds. */
const CACHE_MS = 120_000

export const pastFlow = (revision: number, file: PastFlow['file']): PastFlow => {
  const doc = importFlow(file)
  const model = readFlow(doc)
  doc.destroy()
  return { revision, file, model }
}

/** The flow at a revision; 0 is before the first edit. Past states never change, so each is fetched once. */
export const flowAtQuery = ({ kind, id }: FlowAddress, revision: number) =>
  queryOptions({
    queryKey: ['flow-at', kind, id, revision],
    queryFn: async ({ signal }) => {
      if (revision === 0) return pastFlow(0, NOTHING)
      return pastFlow(
        revision,
        await http.get('/{kind}/{id}/flow/at/{revision}', { params: { kind, id, revision }, signal }),
      )
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: CACHE_MS,
    structuralSharing: false,
  })
