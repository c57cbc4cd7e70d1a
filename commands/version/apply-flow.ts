import { carriedFlow, thingAt, type VersionPath } from '#domain/version.ts'
import { version as versionEntity } from '#schemas/entities/version.ts'
import type { EntityDeclaration } from '#schemas/entity.ts'
import type { Step } from '#schemas/events/entity.ts'
import { type FlowSource, flowStream } from '#schemas/events/flow.ts'
import { versionMember } from '#schemas/versioned.ts'
import { changeFlow } from '../flow/flow-change.ts'
import { entityHasScript } from '../flow/restore-document.ts'
import type { Author } from '../pipeline/append.ts'
import type { CommandContext } from '../pipeline/command-context.ts'
import { openContent } from './apply-version.ts'
import { drawingOf, type OpenedVersion } from './version-work.ts'

/** The content opened last: all steps of one process use the same. */
const newest = new WeakMap<CommandContext, { readonly version: string; readonly content: OpenedVersion }>()

const contentOf = async (context: CommandContext, version: string): Promise<OpenedVersion | undefined> => {
  const known = newest.get(context)
  if (known?.version === version) return known.content
  const { state } = await context.loader.load(versionEntity, version)
  if (state.status !== 'live' && state.status !== 'removed') return undefined
  const opened = await openContent(context, { ...state, status: 'live' })
  // The process tries again later.
  if (opened?.ok === false) throw new Error(`version ${version} could not be opened: ${opened.refusal.code}`)
  if (opened !== undefined) newest.set(context, { version, content: opened.value })
  return opened?.value
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
  const thing = content && thingAt(content.file, path)
  const drawing = thing && drawingOf(content, carriedFlow(thing, 'part' in step && step.part === 'release'))
  if (drawing === undefined) throw new Error(`version ${version} has no flow at ${path.join('.')}`)
  const change = { kind: 'drawing', drawing, hasScript: entityHasScript(entity), ids, origin: 'version' } as const
  await changeFlow(context.flows, id, author, change, { kind: 'version', version })
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
