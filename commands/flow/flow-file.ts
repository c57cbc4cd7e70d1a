import type { FlowFile } from '#schemas/flow/file.ts'
import type { FlowState } from './flow-job.ts'
import type { FlowLog } from './flow-log.ts'

/** A flow as a file; a handler's carries its code as well. */
type KindFile = FlowFile & { readonly js?: string }

/** What a flow says, as a file. */
export const flowFile = async (
  { work }: Pick<FlowLog, 'work'>,
  state: FlowState,
  hasScript: boolean,
): Promise<KindFile> => JSON.parse(await work.perform({ do: 'file', state, hasScript })) as KindFile
