import { FLOW_FORMAT, FLOW_VERSION, type FlowFile } from '#schemas/flow/file.ts'
import { withIds } from '../process/with-ids.ts'

/** A flow as it is in a version file. */
export interface Drawing {
  /** JSON of a file in `flow` and of a handler's code in `js`; empty: of no blocks. */
  readonly drawing: readonly Uint8Array[]
  /** Ids in the file to those that they become. */
  readonly ids: Readonly<Record<string, string>>
}

const NO_FLOW: FlowFile = { format: FLOW_FORMAT, version: FLOW_VERSION, operators: {}, links: {} }

export const readDrawing = ({ drawing, ids }: Drawing): { readonly file: FlowFile; readonly script: string } => {
  const text = Buffer.concat(drawing).toString()
  const { flow = NO_FLOW, js = '' } = text === '' ? {} : (JSON.parse(text) as { flow?: FlowFile; js?: string })
  return { file: withIds(flow, ids), script: String(js) }
}
