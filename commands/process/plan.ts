import { gunzipSync, gzipSync } from 'node:zlib'
import type { JsonObject, StoredEvent } from '#schemas/event.ts'
import type { ProcessPlan } from '#schemas/events/process.ts'

/** Characters from which on a plan is packed, to fit into one event. */
const LONG = 300_000

export const packPlan = (plan: ProcessPlan): JsonObject => {
  const text = JSON.stringify(plan)
  if (text.length <= LONG) return plan
  return { kind: plan.kind, root: plan.root, packed: gzipSync(text).toString('base64') }
}

export const unpackPlan = ({ data }: StoredEvent): ProcessPlan =>
  typeof data.packed === 'string'
    ? JSON.parse(gunzipSync(Buffer.from(data.packed, 'base64')).toString())
    : (data as JsonObject & ProcessPlan)
