import type { KeyboardEvent } from 'react'
import type { TreeRow } from '#web/components/tree.ts'
import type { Level } from '#web/shell/level.ts'

interface Options {
  readonly rows: readonly TreeRow<Level>[]
  onToggle(id: string): void
  onOpen(level: Level): void
  onMove(level: Level): void
}

const focusRow = (tree: Element, id: string | undefined) => {
  if (id !== undefined) tree.querySelector<HTMLElement>(`[data-level="${CSS.escape(id)}"]`)?.focus()
}

/** Arrows walk the rows, left and right close and open a branch or lead to its parent and first child, Enter opens, M moves. */
export const useTreeKeys =
  ({ rows, onToggle, onOpen, onMove }: Options) =>
  (event: KeyboardEvent<HTMLElement>): void => {
    const { target, currentTarget, key } = event
    // Keys of the buttons and menus inside of a row are their own.
    if (!(target instanceof HTMLElement) || target.dataset.level === undefined) return
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const at = rows.findIndex(({ item }) => item.id === target.dataset.level)
    const row = rows[at]
    if (row === undefined) return
    const go = (index: number) => focusRow(currentTarget, rows[index]?.item.id)
    const isBranch = row.children > 0
    if (key === 'ArrowDown') go(Math.min(rows.length - 1, at + 1))
    else if (key === 'ArrowUp') go(Math.max(0, at - 1))
    else if (key === 'Home') go(0)
    else if (key === 'End') go(rows.length - 1)
    else if (key === 'ArrowRight' && isBranch) {
      if (row.open) go(at + 1)
      else onToggle(row.item.id)
    } else if (key === 'ArrowLeft') {
      if (isBranch && row.open) onToggle(row.item.id)
      else focusRow(currentTarget, row.item.parent ?? undefined)
    } else if (key === 'Enter') onOpen(row.item)
    else if (key.toLowerCase() === 'm') onMove(row.item)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
