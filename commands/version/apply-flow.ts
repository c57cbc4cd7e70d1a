import type { Step } from '#schemas/events/process.ts'
import type { FlowFile } from '#schemas/flow/file.ts'
import type { VersionFile } from '#schemas/version-file.ts'
import { changeFlow } from '../flow/flow-change.ts'
import { entityHasScript } from '../flow/patch-whole.ts'
import type { Author } from '../pipeline/author.ts'
import type { Tools } from '../pipeline/command-context.ts'
import { withIds } from '../process/with-ids.ts'
import { readContent } from './content.ts'

/** The content read last: all steps of one process ask for the same. */
const newest = new WeakMap<Tools, { readonly version: string; readonly file: VersionFile | undefined }>()

const contentOf = async (tools: Tools, version: string): Promise<VersionFile | undefined> => {
  const known = newest.get(tools)
  if (known?.version === version) return known.file
  const file = await readContent(tools, version)
  newest.set(tools, { version, file })
  return file
}

/** The step that makes one flow what a version has, in place. */
export const applyFlow = async (
  tools: Tools,
  author: Author,
  { id, entity, version, task, index }: Extract<Step, { do: 'applyflow' }>,
  ids: Readonly<Record<string, string>>,
): Promise<undefined> => {
  const content = await contentOf(tools, version)
  const drawn = content?.dialogtasks[task]?.[entity === 'handler' ? 'handlers' : 'dialogs'][index]
  if (drawn === undefined) throw new Error(`version ${version} has no ${entity} ${task}.${index}`)
  const file = withIds(drawn.flow as unknown as FlowFile, ids)
  const script = entityHasScript(entity) ? (drawn.js ?? '') : undefined
  const source = { kind: 'version' as const, version }
  await changeFlow(tools.flows, id, author, { kind: 'file', file, script, origin: 'version' }, source)
}
