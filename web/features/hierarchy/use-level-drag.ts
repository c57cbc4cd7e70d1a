import { type DragEvent, useRef, useState } from 'react'
import { branchOf, type TreeRow } from '#web/components/tree.ts'
import type { Level } from '#web/shell/level.ts'
import type { RowDrag } from './level-row.tsx'

/** Over a closed branch for so long, the held one has it opened. */
const OPEN_AFTER_MS = 700

interface Options {
  readonly levels: readonly Level[]
  isMovable(level: Level): boolean
  onOpen(id: string): void
  onDrop(level: Level, parent: string): void
}

/** Drags a branch onto its new parent level. */
export const useLevelDrag = ({ levels, isMovable, onOpen, onDrop }: Options) => {
  const [held, setHeld] = useState<Level>()
  const [target, setTarget] = useState<string>()
  const opening = useRef<ReturnType<typeof setTimeout>>(undefined)
  const leave = () => {
    clearTimeout(opening.current)
    setTarget(undefined)
  }
  const end = () => {
    leave()
    setHeld(undefined)
  }
  const own = held === undefined ? undefined : branchOf(levels, held.id)
  return ({ item, children, open }: TreeRow<Level>): RowDrag => {
    const isPlace = own !== undefined && !own.has(item.id) && held?.parent !== item.id
    const over = (event: DragEvent) => {
      if (!isPlace) return
      event.preventDefault()
      event.dataTransfer.dropEffect = 'move'
      if (target === item.id) return
      setTarget(item.id)
      clearTimeout(opening.current)
      if (children > 0 && !open) opening.current = setTimeout(() => onOpen(item.id), OPEN_AFTER_MS)
    }
    return {
      isHeld: own?.has(item.id) === true,
      isTarget: target === item.id && isPlace,
      handlers: {
        ...(isMovable(item)
          ? {
              onDragStart: event => {
                event.dataTransfer.effectAllowed = 'move'
                event.dataTransfer.setData('text/plain', item.name)
                setHeld(item)
              },
              onDragEnd: end,
            }
          : {}),
        onDragOver: over,
        onDragLeave: event => {
          if (!event.currentTarget.contains(event.relatedTarget as Node | null) && target === item.id) leave()
        },
        onDrop: event => {
          if (!isPlace || held === undefined) return
          event.preventDefault()
          onDrop(held, item.id)
          end()
        },
      },
    }
  }
}
