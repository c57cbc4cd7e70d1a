import { carriedFlow, thingAt, type VersionPath } from '#domain/version.ts'
import type { EntityDeclaration } from '#schemas/entity.ts'
import { type FlowSource, flowStream } from '#schemas/events/flow.ts'
import type { Step } from '#schemas/events/process.ts'
import type { FlowFile } from '#schemas/flow/file.ts'
import type { VersionFile } from '#schemas/version-file.ts'
import { versionMember } from '#schemas/versioned.ts'
import { changeFlow } from '../flow/flow-change.ts'
import { entityHasScript } from '../flow/patch-whole.ts'
import type { Author } from '../pipeline/author.ts'
import type { CommandContext } from '../pipeline/command-context.ts'
import { withIds } from '../process/with-ids.ts'
import { readContent } from './content.ts'

/** The content read last: all steps of one process ask for the same. */
const newest = new WeakMap<CommandContext, { readonly version: string; readonly file: VersionFile | undefined }>()

const contentOf = async (context: CommandContext, version: string): Promise<VersionFile | undefined> => {
  const known = newest.get(context)
  if (known?.version === version) return known.file
  const file = await readContent(context, version)
  newest.set(context, { version, file })
  return file
}

type ApplyFlow = Extract<Step, { do: 'applyflow' }>

const pathOf = (step: ApplyFlow, entity: EntityDeclaration): VersionPath =>
  'path' in step ? step.path : ['dialogtasks', step.task, versionMember(entity), step.index]

/** The step that makes one flow what a version has, in place. */
export const applyFlow = async (
  context: CommandContext,
  author: Author,
  step: ApplyFlow,
  entity: EntityDeclaration,
  ids: Readonly<Record<string, string>>,
): Promise<undefined> => {
  const { id, version } = step
  const content = await contentOf(context, version)
  const path = pathOf(step, entity)
  const thing = content && thingAt(content, path)
  const drawn = thing && carriedFlow(thing, 'part' in step && step.part === 'release')
  if (drawn?.flow === undefined) throw new Error(`version ${version} has no flow at ${path.join('.')}`)
  const file = withIds(drawn.flow as unknown as FlowFile, ids)
  const script = entityHasScript(entity) ? String(drawn.js ?? '') : undefined
  const source = { kind: 'version' as const, version }
  await changeFlow(context.flows, id, author, { kind: 'file', file, script, origin: 'version' }, source)
}

/** The revision to which applying a version brought a flow; `drawn` where it changed nothing. */
export const appliedRevision = async (
  { store }: Pick<CommandContext, 'store'>,
  { id, version, drawn }: Extract<Step, { do: 'publishapplied' }>,
): Promise<number> => {
  for await (const { revision, data } of store.read(flowStream(id), { direction: 'backwards' })) {
    if (revision <= drawn) return drawn
    const source = data.source as FlowSource | undefined
    if (source?.kind === 'version' && source.version === version) return revision
  }
  return drawn
}
