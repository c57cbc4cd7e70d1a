import type { FlowLog } from './flow-log.ts'
import type { FlowLook, Looked } from './flow-look.ts'

type LookedFlow<L extends FlowLook> = Looked<L> & { readonly revision: number }

/** Asks something of the texts of a flow as it is now, for at most so long. */
export const lookAtFlow = async <L extends FlowLook>(
  { work, revision: revisionOf, stored }: Pick<FlowLog, 'work' | 'revision' | 'stored'>,
  flow: string,
  look: L,
  timeMs: number,
): Promise<LookedFlow<L>> => {
  const cached = await revisionOf(flow)
  const known = await work.perform({ do: 'look', flow, revision: cached, look, timeMs })
  if (known !== undefined) return { ...(known as Looked<L>), revision: cached }
  const { state, revision } = await stored(flow)
  const looked = await work.perform({ do: 'look', flow, revision, state, look, timeMs })
  return { ...(looked as Looked<L>), revision }
}
