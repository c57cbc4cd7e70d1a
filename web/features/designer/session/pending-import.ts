import { diffFlows } from '#domain/flow/diff/diff-flows.ts'
import { parseFlowFile } from '#domain/flow/file/parse-flow-file.ts'
import type { FlowFile } from '#schemas/flow/file.ts'

/** A file that was chosen to take the place of the open flow. */
export interface ComingFlow {
  /** Of the file. */
  readonly name: string
  readonly file: FlowFile
  /** Types that no block declares. */
  readonly unknown: readonly string[]
  /** Blocks, each counted once. */
  readonly added: number
  readonly changed: number
  readonly removed: number
  /** It is more than one message of the room may hold. */
  readonly isLarge: boolean
}

/** Why a file is no flow: not JSON, another tool's, a later version's, a faulty place, or without any block. */
export type Refused =
  | { readonly why: 'notJson' | 'foreign' | 'later' | 'empty' }
  | { readonly why: 'fault'; readonly where: string }

type Read =
  | { readonly is: 'refused'; readonly refused: Refused }
  /** `loses`: something that is in the flow would go or become another. */
  | { readonly is: 'coming'; readonly coming: ComingFlow; readonly loses: boolean }
  | { readonly is: 'same' }

/** Bytes of a file that is sent as one edit of the room; a message of it holds some more. */
const ONE_EDIT = 5_000_000

const refusedFor = (json: unknown, path: string): Refused => {
  if (json === null) return { why: 'notJson' }
  if (path === 'version') return { why: 'later' }
  if (path === '' || path === 'operators' || path === 'links' || path === 'format') return { why: 'foreign' }
  return { why: 'fault', where: path }
}

/** Reads a chosen file and compares it with the flow that it is to replace. `json`: null when it is none. */
export const readPendingImport = (name: string, json: unknown, now: FlowFile): Read => {
  const parsed = parseFlowFile(json)
  if (!parsed.ok) return { is: 'refused', refused: refusedFor(json, parsed.errors[0]?.path ?? '') }
  const { file, unknown } = parsed
  if (Object.keys(file.operators).length === 0) return { is: 'refused', refused: { why: 'empty' } }
  const { nodes, links } = diffFlows(now, file)
  const [added, changed, removed] = [nodes.added.length, nodes.changed.length, nodes.removed.length]
  const loses = changed + removed + links.changed.length + links.removed.length > 0
  if (!loses && added + links.added.length === 0) return { is: 'same' }
  const isLarge = new Blob([JSON.stringify(file)]).size > ONE_EDIT
  return { is: 'coming', loses, coming: { name, file, unknown, added, changed, removed, isLarge } }
}
