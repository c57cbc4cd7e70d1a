import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { JsonObject, StoredEvent } from '#schemas/event.ts'
import type { ProcessPlan } from '#schemas/events/process.ts'
import { packText } from '../packed-text.ts'
import { Slices } from '../slices.ts'

/** Characters from which on a plan is packed, to fit into one event. */
const LONG = 300_000

/** A plan as it is stored. */
export const packPlan = async (plan: ProcessPlan): Promise<JsonObject> => {
  const { steps, ...rest } = plan
  const slices = new Slices()
  const texts: string[] = []
  let length = 0
  for (const step of steps) {
    const text = JSON.stringify(step)
    texts.push(text)
    length += text.length
    await slices.pause()
  }
  const head = `${JSON.stringify(rest).slice(0, -1)},"steps":[`
  if (head.length + length <= LONG) return plan
  const { packed } = await packText(planText(head, texts))
  return { kind: plan.kind, root: plan.root, packed: Buffer.concat(packed).toString('base64') }
}

async function* planText(head: string, steps: readonly string[]): AsyncGenerator<string> {
  yield head
  for (const [index, text] of steps.entries()) yield index === 0 ? text : `,${text}`
  yield ']}'
}

export const unpackPlan = async ({ data }: StoredEvent): Promise<ProcessPlan> =>
  typeof data.packed === 'string'
    ? JSON.parse((await promisify(gunzip)(Buffer.from(data.packed, 'base64'))).toString())
    : (data as JsonObject & ProcessPlan)
