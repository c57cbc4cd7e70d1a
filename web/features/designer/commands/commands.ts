import { createContext, use } from 'react'
import type { OutputRef } from '../canvas/use-link-drag.ts'
import type { Arrangement } from '../model/arrange.ts'
import type { Point } from '../model/geometry.ts'
import type { InsertionPoint } from '../session/edit/place-blocks.ts'
import type { ComingFlow } from '../session/pending-import.ts'

/** Target of a new block: a position, a link from `pulled`, or after an element. */
export interface AddRequest {
  readonly at?: Point | undefined
  /** The output a link was dragged from; its old target no longer counts. */
  readonly pulled?: OutputRef | undefined
  readonly after?: InsertionPoint | undefined
  /** Screen position of the request. */
  readonly screen?: Point | undefined
}

/** Commands of buttons and keys: an action on the flow, its live-region text, and the camera move. */
export interface Commands {
  /** Opens the block search; the new block goes to `at`, linked from the output, else after the output, or after the selection. */
  openAdd(at?: Point, output?: OutputRef, screen?: Point): void
  /** Adds a block where it was asked for, or after the chosen block or link. */
  add(type: string, request?: AddRequest): void
  addAt(type: string, at: Point): void
  remove(): void
  copy(): void
  cut(): void
  paste(text: string): void
  duplicate(): void
  /** Lays out the selection, or the whole flow, section by section. */
  tidy(): void
  arrange(how: Arrangement): void
  group(): void
  undo(): void
  redo(): void
  /** Puts a block into view, selects it and gives it the focus. */
  show(block: string, field?: string): void
  /** Puts the address of a block, or of the selected one, on the clipboard. */
  copyLink(block?: string): void
  fit(): void
  zoomToSelection(): void
  exportFile(): void
  exportPdf(): void
  importFile(): void
  /** Puts a chosen file in the flow's place. */
  takeIn(coming: ComingFlow): void
  nextProblem(): void
  /** Turns the tags of long links, or the telling of others' edits, on or off. */
  toggleJumpTags(): void
  /** Small blocks, or large ones, for this person alone. */
  toggleCompact(): void
  toggleNews(): void
}

export const CommandsContext = createContext<Commands | undefined>(undefined)

export const useCommands = (): Commands => {
  const commands = use(CommandsContext)
  if (commands === undefined) throw new Error('outside of the designer')
  return commands
}
